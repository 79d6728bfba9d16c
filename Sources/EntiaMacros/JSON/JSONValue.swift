/// A JSON value, as the compiler and the plugin exchange them.
///
/// The plugin is started once for every compilation, so it reads and writes the little JSON it needs
/// itself: loading Foundation would cost more than the expansions do.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([JSONMember])

  /// The value of the member `key` of an object, nil when there is none or this is no object.
  subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The text, when this is a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number, when this is a whole one.
  var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  /// The elements, when this is an array.
  var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members, when this is an object.
  var members: [JSONMember]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// A member of a JSON object; members keep their order, so that what is written is deterministic.
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
