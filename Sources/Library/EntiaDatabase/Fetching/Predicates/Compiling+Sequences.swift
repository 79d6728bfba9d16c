import Foundation

extension PredicateExpressions.SequenceContains: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (sequence, element) = (compiler.compile(sequence), compiler.compile(element))
    guard let values = sequence.constant else {
      var result = sequence.combine(element) { $0.contains($1) }
      if let path = sequence.path, let value = element.constant {
        result.condition = .contains(path, value)
      }
      return result
    }
    let list = Array(values)
    var result =
      if let type = RHS.Output.self as? any Hashable.Type, list.count > 4,
        let test = membership(type, list, element)
      {
        test
      } else {
        element.map { list.contains($0) }
      }
    if let path = element.path { result.condition = .equals(path, list) }
    return result
  }

  private func membership<Member: Hashable>(
    _ type: Member.Type, _ list: [RHS.Output], _ element: CompiledExpression<RHS.Output>
  ) -> CompiledExpression<Bool>? {
    guard let list = list as? [Member], let element = element as? CompiledExpression<Member>
    else { return nil }
    let members = Set(list)
    return element.map { members.contains($0) }
  }
}

extension PredicateExpressions.SequenceContainsWhere: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let sequence = compiler.compile(sequence).evaluation
    return compiler.scope(variable) { slot in
      let test = compiler.compile(test).evaluation
      return CompiledExpression(
        .computed { frame in
          try sequence(frame).contains { try frame.binding(slot, to: $0) { try test(frame) } }
        })
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let sequence = compiler.compile(sequence).evaluation
    return compiler.scope(variable) { slot in
      let test = compiler.compile(test).evaluation
      return CompiledExpression(
        .computed { frame in
          try sequence(frame).allSatisfy { try frame.binding(slot, to: $0) { try test(frame) } }
        })
    }
  }
}

extension PredicateExpressions.Filter: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    let sequence = compiler.compile(sequence).evaluation
    return compiler.scope(variable) { slot in
      let filter = compiler.compile(filter).evaluation
      return CompiledExpression(
        .computed { frame in
          try sequence(frame).filter { try frame.binding(slot, to: $0) { try filter(frame) } }
        })
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    let (base, prefix) = (compiler.compile(base), compiler.compile(prefix))
    var result = base.combine(prefix) { $0.starts(with: $1) }
    if let path = base.path, Base.Output.self == String.self,
      let prefix = prefix.constant as? String
    {
      result.condition = .begins(path, prefix)
    }
    return result
  }
}

extension CompiledExpression where Output == Bool {
  /// Creates the expression of `localizedStandardContains`, which Foundation has in predicates on
  /// Apple's platforms only.
  init<Text: StringProtocol, Part: StringProtocol>(
    _ text: CompiledExpression<Text>, localizedStandardContains part: CompiledExpression<Part>
  ) {
    self = text.combine(part) { $0.localizedStandardContains($1) }
    if let path = text.path, Text.self == String.self, let part = part.constant as? String {
      condition = .includes(path, WantedPart(text: part, isLocalized: true))
    }
  }
}

#if canImport(Darwin)
  extension PredicateExpressions.StringLocalizedStandardContains: CompilableExpression {
    func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
      CompiledExpression(
        compiler.compile(root), localizedStandardContains: compiler.compile(other))
    }
  }
#endif

// `evaluate` supports this expression, but stops the process if the computation of the subject
// overflows, for example in the index of a list. The expression is compiled to prevent this.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension PredicateExpressions.StringContainsRegex: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Bool>? {
    compiler.compile(subject).combine(compiler.compile(regex)) { $0.contains($1) }
  }
}

extension PredicateExpressions.SequenceMinimum: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(elements).map { $0.min() }
  }
}

extension PredicateExpressions.SequenceMaximum: CompilableExpression {
  func compile(with compiler: PredicateCompiler) -> CompiledExpression<Output>? {
    compiler.compile(elements).map { $0.max() }
  }
}
