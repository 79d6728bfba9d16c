import EntiaCoding

/// A condition on the members of a row, such as `year > 1999 and author = "a1"`.
///
/// ```swift
/// let condition = try RecordCondition.parse(
///   "year > 1999 and (author = \"a1\" or tags contains 'x')")
/// let rows = try database.rows(RecordSelection(of: "posts", where: condition))
/// ```
public struct RecordCondition: Sendable {
  /// A comparison operator.
  enum Operator: String, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
  }

  /// The literal on the right-hand side of a comparison.
  enum Literal: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
  }

  struct Comparison: Sendable {
    let member: ExactString
    let relation: Operator
    let literal: Literal
  }

  indirect enum Node: Sendable {
    case comparison(Comparison)
    case all([Node])
    case any([Node])
    case negation(Node)
  }

  let root: Node

  /// The names of the compared members.
  var members: [ExactString] {
    var members: [ExactString] = []
    var nodes = [root]
    while let node = nodes.popLast() {
      switch node {
      case .comparison(let comparison): members.append(comparison.member)
      case .all(let parts), .any(let parts): nodes += parts.reversed()
      case .negation(let part): nodes.append(part)
      }
    }
    return members
  }
}

/// An error in the text of a condition.
public struct ConditionError: Error, Hashable, Sendable {
  /// A description of the error.
  public let message: String
  /// The position of the error in characters, counted from 1.
  public let column: Int
}

extension ConditionError: CustomStringConvertible {
  /// The message and the position.
  public var description: String { "\(message), at character \(column)" }
}

extension RecordCondition {
  /// Returns whether a row fulfills the condition.
  ///
  /// - Complexity: O(comparisons × size of the row).
  func holds(for row: Record, _ reader: MemberReader) -> Bool {
    Self.holds(root, row, reader)
  }

  // The parser bounds the depth.
  private static func holds(_ node: Node, _ row: Record, _ reader: MemberReader) -> Bool {
    switch node {
    case .comparison(let comparison):
      return reader.value(of: comparison.member, in: row)
        .fulfils(comparison.relation, comparison.literal)
    case .all(let parts): return parts.allSatisfy { holds($0, row, reader) }
    case .any(let parts): return parts.contains { holds($0, row, reader) }
    case .negation(let part): return !holds(part, row, reader)
    }
  }
}
