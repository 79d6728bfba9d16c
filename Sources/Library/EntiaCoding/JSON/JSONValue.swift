/// A JSON value in memory: for schemas, reports and other small texts.
///
/// Rows store flat text (``JSONText``) instead, whose depth cannot overflow the stack.
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

    /// Creates a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The maximum nesting depth of a parsed tree.
  ///
  /// Comparing and releasing a tree uses stack space for every level. This depth fits the smallest
  /// default stack of a thread.
  public static let maximumDepth = 512

  /// The value of a member, or nil if this value is not an object or has no such member.
  ///
  /// - Complexity: O(members).
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

extension JSONValue: Equatable {
  /// Returns whether two values are equal: numbers by text, strings by bytes, arrays in order,
  /// objects by their members in any order.
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    JSONText(lhs) == JSONText(rhs)
  }
}
