import Foundation

extension PredicateExpressions.Variable: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    guard let slot = compiler.slot(of: key) else { return nil }
    var result = CompiledExpression<Output>(.field(slot: slot, offset: 0))
    result.path = compiler.path(of: key)
    return result
  }
}

extension PredicateExpressions.Value: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    CompiledExpression(.constant(value))
  }
}

extension PredicateExpressions.NilLiteral: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Wrapped?>? {
    CompiledExpression(.constant(nil))
  }
}

extension PredicateExpressions.KeyPath: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let root = compiler.compile(self.root)
    let path: Swift.KeyPath<Root.Output, Output> = keyPath
    if root.constant != nil { return root.map { $0[keyPath: path] } }
    var result =
      if case .field(let slot, let offset) = root.form,
        let inner = MemoryLayout<Root.Output>.offset(of: path)
      {
        CompiledExpression<Output>(.field(slot: slot, offset: offset + inner))
      } else {
        ofString(root) ?? root.map { $0[keyPath: path] }
      }
    if let outer = root.path {
      result.path = outer.path.appending(path: path).map { FieldPath(slot: outer.slot, path: $0) }
    } else if case .field(let slot, 0) = root.form, self.root is any AnyPredicateVariable {
      result.path = FieldPath(
        slot: slot, path: path, isIdentifier: Self.isStoredIdentifier(path))
    }
    return result
  }

  /// Compiles the two most common properties of strings, which are read without the key path.
  private func ofString(
    _ root: CompiledExpression<Root.Output>
  ) -> CompiledExpression<Output>? {
    guard let text = root as? CompiledExpression<String> else { return nil }
    let path: AnyKeyPath = keyPath
    if path == \String.isEmpty {
      return text.map { $0.isEmpty } as? CompiledExpression<Output>
    }
    if path == \String.count {
      return text.map { $0.count } as? CompiledExpression<Output>
    }
    return nil
  }

  /// Whether a path leads to the stored property by which the root conforms to `Identifiable`.
  ///
  /// Compared by name: the key path in a predicate does not equal `\Self.id` in generic code.
  private static func isStoredIdentifier(_ path: Swift.KeyPath<Root.Output, Output>) -> Bool {
    func hasIdentifier<Identified: Identifiable>(_ type: Identified.Type) -> Bool {
      Identified.ID.self == Output.self
    }
    guard let type = Root.Output.self as? any Identifiable.Type, hasIdentifier(type),
      MemoryLayout<Root.Output>.offset(of: path) != nil
    else { return false }
    return fieldName(path) == "id"
  }
}
