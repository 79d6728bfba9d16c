/// A JSON value in the messages between the compiler and the plugin.
///
/// The plugin is started for every compilation, so it has its own small JSON reader and writer.
/// Loading Foundation would take longer than the expansions.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value of an object's member `key`; `nil` if there is none or this is not an object.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, if this is a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, if this is an integer.
  var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The elements, if this is an array.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, if this is an object.
  var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// A member of a JSON object. Members keep their order, so that the output is deterministic.
struct JSONMember: Equatable, Sendable {
  var key: String
  var value: JSONValue
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int) {
    self = .integer(value)
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONMember(key: $0.0, value: $0.1) })
  }
}
