import EntiaCoding
import Foundation

/// A value that is being encoded in the form of `JSONForm`.
struct FormDestination: EncodingDestination {
  private let tree: EncodedTree<JSONValue>
  let codingPath: [any CodingKey]

  var count: Int { tree.count }

  /// Returns the JSON of a value.
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The keys that lead to the value.
  /// - Throws: The error that encoding the value throws, and `EncodingError` if the value is nested
  ///   too deeply to be read.
  static func json(of value: some Encodable, at path: [any CodingKey] = []) throws -> JSONValue {
    let tree = EncodedTree<JSONValue>()
    try FormDestination(tree: tree, codingPath: path).encode(value)
    return try tree.json(depth: path.count)
  }

  func beginObject() { tree.beginObject() }
  func beginArray() { tree.beginArray() }
  func encodeNil() { tree.content = .leaf(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let leaf = leaf(value) {
      tree.content = .leaf(leaf)
    } else {
      try value.encode(to: DestinationEncoder(self))
      try tree.sortIfUnordered(Value.self) { JSONText(try $0.json()).text }
    }
  }

  private func leaf(_ value: some Encodable) -> JSONValue? {
    switch value {
    case let value as Bool: .bool(value)
    case let value as String: .string(JSONForm.text(value))
    case let value as Double: JSONForm.form(of: value)
    case let value as Float: JSONForm.form(of: value)
    case let value as any FixedWidthInteger: .number(JSONNumber(value))
    case let value as Data: .string(value.base64EncodedString())
    case let value as Decimal: JSONForm.form(of: value)
    case let value as URL where value.baseURL == nil: .string(JSONForm.text(value.relativeString))
    default: nil
    }
  }

  func member(_ key: any CodingKey) -> FormDestination {
    let member = tree.member(JSONForm.text(key.stringValue))
    return FormDestination(tree: member, codingPath: codingPath + [key])
  }

  func element() -> FormDestination {
    let path = codingPath + [NamedKey(count)]
    return FormDestination(tree: tree.appendElement(), codingPath: path)
  }
}

extension EncodedTree<JSONValue> {
  /// Returns the JSON.
  /// - Throws: `EncodingError` if a value is nested too deeply to be read.
  fileprivate func json(depth: Int = 0) throws -> JSONValue {
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
    case .leaf(let value): return value
    case .array(let elements): return .array(try elements.map { try $0.json(depth: depth + 1) })
    case .object(let members):
      return .object(
        try members.map { JSONValue.Member($0.name, try $0.value.json(depth: depth + 1)) })
    }
  }
}
