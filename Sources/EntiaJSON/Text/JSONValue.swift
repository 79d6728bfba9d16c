/// A JSON value in memory: for schemas, reports and other small texts.
///
/// Rows do not hold such trees but flat text (``JSONText``), which has no depth to overflow a stack.
public enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// The value `true` or `false`.
  case bool(Bool)
  /// A number, with every digit.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; its members keep their order.
  case object([Member])

  /// One name and value of an object.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The value.
    public let value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The levels of nesting that are read into a tree.
  ///
  /// Comparing and releasing a tree takes stack for every level. This many fit the smallest stack a
  /// thread is given by default.
  public static let maximumDepth = 512

  /// Gives the value of a member; nil if this is no object or has no such member.
  ///
  /// - Complexity: O(members).
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

extension JSONValue: Equatable {
  /// Says whether two values are the same: numbers by text, strings by bytes, arrays in order,
  /// objects by their members in any order.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    JSONText(left) == JSONText(right)
  }
}
