/// A condition on the members of a row, such as `year > 1999 and author = "a1"`.
///
/// ```swift
/// let condition = try RecordCondition.parse("year > 1999 and (author = \"a1\" or tags contains 'x')")
/// let rows = try database.rows(RecordSelection(of: "posts", where: condition))
/// ```
public struct RecordCondition: Sendable {
  /// How a member and a value are compared.
  enum Operator: String, Sendable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
  }

  /// What a member is compared with.
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
  }

  let root: Node

  /// The names of the members that are compared.
  var members: [ExactString] {
    var members: [ExactString] = []
    var nodes = [root]
    while let node = nodes.popLast() {
      switch node {
      case .comparison(let comparison): members.append(comparison.member)
      case .all(let parts), .any(let parts): nodes += parts.reversed()
      }
    }
    return members
  }
}

/// Why a text is no condition.
public struct ConditionError: Error, Hashable, Sendable {
  /// What is wrong, in a sentence.
  public let message: String
  /// The character of the text where it is wrong, counted from 1.
  public let column: Int
}

extension ConditionError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message), at character \(column)" }
}
