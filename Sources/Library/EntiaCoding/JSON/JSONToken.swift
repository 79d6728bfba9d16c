/// A token of a JSON text, read by a ``JSONReader``.
public enum JSONToken: UInt8, Hashable, Sendable {
  /// The value `null`.
  case null
  /// The value `true`.
  case `true`
  /// The value `false`.
  case `false`
  /// A number; ``JSONReader/number()`` returns its digits.
  case number
  /// A string value; ``JSONReader/string()`` returns its content.
  case string
  /// The name of a member, including its colon; the member's value follows.
  case name
  /// The `{` that opens an object.
  case beginObject
  /// The `}` that closes an object.
  case endObject
  /// The `[` that opens an array.
  case beginArray
  /// The `]` that closes an array.
  case endArray
  /// The end of the text, after its one value.
  case end
}

extension JSONToken {
  /// Whether this token opens an array or an object.
  package var opens: Bool { self == .beginObject || self == .beginArray }

  /// The words for this token, or for the value that begins with it, in messages: "an object".
  package var kindDescription: String {
    switch self {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .name: "a name"
    case .beginObject, .endObject: "an object"
    case .beginArray, .endArray: "an array"
    case .end: "the end"
    }
  }
}
