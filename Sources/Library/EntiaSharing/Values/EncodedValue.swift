import EntiaCoding
import Foundation

/// What the `encode(to:)` of a value has written.
final class EncodedValue {
  private enum Content {
    case nothing
    case value(JSONValue)
    case array([EncodedValue])
    case object
  }

  private var content = Content.nothing
  private var members: [(name: String, value: EncodedValue)] = []
  private var indexes: [ExactString: Int] = [:]

  /// The number of elements of an array.
  var count: Int {
    if case .array(let elements) = content { return elements.count }
    return 0
  }

  func set(_ value: JSONValue) { content = .value(value) }

  /// Turns the value into an object, unless it is one.
  func makeObject() {
    if case .object = content { return }
    content = .object
  }

  /// Turns the value into an array, unless it is one.
  func makeArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Adds an element to an array.
  func append() -> EncodedValue {
    let element = EncodedValue()
    var elements: [EncodedValue] = []
    if case .array(let known) = content { elements = known }
    content = .nothing
    elements.append(element)
    content = .array(elements)
    return element
  }

  /// Returns the member of an object with a name.
  func member(_ name: String) -> EncodedValue {
    let name = JSONForm.text(name)
    if let index = indexes[ExactString(name)] { return members[index].value }
    let value = EncodedValue()
    indexes[ExactString(name)] = members.count
    members.append((name, value))
    return value
  }

  /// Returns the JSON.
  /// - Throws: `EncodingError` for values that are nested too deeply to be read.
  func json(depth: Int = 0) throws -> JSONValue {
    guard depth < JSONForm.maximumDepth else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "it is nested more than \(JSONForm.maximumDepth) levels deep"))
    }
    switch content {
    // As `JSONEncoder` does for a value that encodes nothing.
    case .nothing: return .object([])
    case .value(let value): return value
    case .array(let elements): return .array(try elements.map { try $0.json(depth: depth + 1) })
    case .object:
      return .object(
        try members.map { JSONValue.Member($0.name, try $0.value.json(depth: depth + 1)) })
    }
  }
}
