/// One property of a type, or an `#if` block of properties.
indirect enum ConditionalPart<Property> {
  case property(Property)
  case conditional([ConditionalClause<Property>])
}

/// `#if`, `#elseif` or `#else`, and the parts that follow.
struct ConditionalClause<Property> {
  /// The directive with its condition.
  var directive: String
  var parts: [ConditionalPart<Property>]
}

extension ConditionalPart: Equatable where Property: Equatable {}
extension ConditionalPart: Sendable where Property: Sendable {}
extension ConditionalClause: Equatable where Property: Equatable {}
extension ConditionalClause: Sendable where Property: Sendable {}

extension ConditionalPart {
  /// All properties, regardless of their conditions.
  var properties: [Property] {
    switch self {
    case .property(let property): [property]
    case .conditional(let clauses): clauses.flatMap { $0.parts.flatMap(\.properties) }
    }
  }

  /// Returns the properties that `read` finds in a type's members, inside the same `#if` blocks as
  /// in the user's code.
  /// - Parameter read: Returns the properties of a declaration. The conditions are those of the
  ///   `#if` clauses around the declaration.
  static func read(
    _ members: [Member], in source: SourceBytes, under conditions: [Condition] = [],
    _ read: (Declaration, [Condition]) -> [Property]
  ) -> [Self] {
    members.flatMap { member -> [Self] in
      switch member {
      case .declaration(let declaration):
        return read(declaration, conditions).map(Self.property)
      case .conditional(let block):
        let clauses = block.clauses.enumerated().map { index, clause in
          let condition = Condition(block: block.range.lowerBound, clause: index)
          let directive = clause.condition.map { "\(clause.directive.text) \(source.text($0))" }
          return ConditionalClause(
            directive: directive ?? clause.directive.text,
            parts: Self.read(clause.members, in: source, under: conditions + [condition], read))
        }
        return clauses.contains { !$0.parts.isEmpty } ? [.conditional(clauses)] : []
      }
    }
  }

  /// Returns the lines that `lines` generates for each property, inside the same `#if` blocks as in
  /// the user's code.
  static func each(_ parts: [Self], _ lines: (Property) -> [String]) -> [String] {
    parts.flatMap { part in
      switch part {
      case .property(let property): lines(property)
      case .conditional(let clauses):
        blocks(clauses.map { ($0.directive, each($0.parts, lines)) })
      }
    }
  }
}

/// Returns the lines of an `#if` block; empty if no clause has lines.
private func blocks(_ clauses: [(directive: String, lines: [String])]) -> [String] {
  if clauses.allSatisfy(\.lines.isEmpty) { return [] }
  return clauses.flatMap { [$0.directive] + $0.lines } + ["#endif"]
}

/// A clause of an `#if` block: the offset of the block, and the index of the clause.
struct Condition: Equatable, Sendable {
  var block: Int
  var clause: Int

  /// Returns whether code under the conditions `one` is never compiled together with code under the
  /// conditions `other`. This is the case if `one` and `other` contain different clauses of the
  /// same `#if` block.
  static func exclude(_ one: [Condition], _ other: [Condition]) -> Bool {
    one.contains { condition in
      other.contains { $0.block == condition.block && $0.clause != condition.clause }
    }
  }
}

extension SourceLine {
  /// Returns generated lines with directives, so that the compiler's messages about these lines
  /// refer to `line` of the user's source.
  static func located(_ line: SourceLine?, _ lines: [String]) -> [String] {
    guard let line, !lines.isEmpty else { return lines }
    let file = StorageSource.literal(line.fileName)
    // Every line needs a directive, because the lines after a directive have ascending numbers.
    return lines.flatMap { ["#sourceLocation(file: \(file), line: \(line.number))", $0] }
      + ["#sourceLocation()"]
  }

  /// Returns lines of the user's code with directives, so that the compiler's messages about these
  /// lines refer to the user's source from `line` on.
  static func starting(_ line: SourceLine?, _ code: String) -> [String] {
    guard let line else { return [code] }
    let file = StorageSource.literal(line.fileName)
    return ["#sourceLocation(file: \(file), line: \(line.number))", code, "#sourceLocation()"]
  }
}
