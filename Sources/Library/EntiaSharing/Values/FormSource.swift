import EntiaCoding
import Foundation

/// A value in the form of `JSONForm`, from which a row is decoded.
package final class FormSource: DecodingSource {
  private let text: FormText
  private let root: Int
  /// The nodes of the members of large objects.
  private var members: [Int: [ExactString: Int]] = [:]
  /// Whether values are read in the forms that `JSONForm` writes, and in no others.
  private var isExact = false

  /// Creates a source of a value in a text.
  package init(_ text: FormText, at node: Int) { (self.text, root) = (text, node) }

  /// Creates a source of a value.
  /// - Throws: `JSONError` if the value is nested too deeply.
  convenience init(_ value: JSONValue) throws(JSONError) {
    self.init(try FormText(value), at: 0)
  }

  /// Returns the value as a type.
  /// - Throws: `DecodingError`, and the error that the type throws.
  package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decode(type, root)
  }

  package func codingPath(_ node: Int) -> [any CodingKey] { text.path(from: root, to: node) }

  package func isNull(_ node: Int) -> Bool { text.nodes[node].token == .null }

  package func bool(_ node: Int) throws -> Bool {
    try required(text.bool(node), node, "a Boolean value")
  }

  package func string(_ node: Int) throws -> String {
    try required(text.string(node), node, "a string")
  }

  package func double(_ node: Int) throws -> Double {
    try required(text.double(node), node, "a number")
  }

  package func float(_ node: Int) throws -> Float {
    try required(JSONForm.float(text.scalar(node)), node, "a number")
  }

  package func int(_ node: Int) throws -> Int { try integer(node) }

  package func integer<Value: FixedWidthInteger & Decodable>(_ node: Int) throws -> Value {
    try required(text.integer(node), node, "an integer of type \(Value.self)")
  }

  private func required<Value>(
    _ value: Value?, _ node: Int, _ expected: @autoclosure () -> String
  ) throws -> Value {
    guard let value else { throw mismatch(Value.self, node, expected()) }
    return value
  }

  package func decode<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
    func cast(_ result: Any?, _ expected: String) throws -> Value {
      try required(result as? Value, node, expected)
    }
    let any: Any.Type = type
    // Comparing types takes less time than casting a value. If the types are equal, `unsafeBitCast`
    // is valid.
    if any == String.self { return unsafeBitCast(try string(node), to: Value.self) }
    if any == Int.self { return unsafeBitCast(try int(node), to: Value.self) }
    if any == Double.self { return unsafeBitCast(try double(node), to: Value.self) }
    if any == Bool.self { return try cast(try bool(node), "a Boolean value") }
    if any == Float.self { return try cast(try float(node), "a number") }
    if let id = text.identifier(node, as: type) { return id }
    if text.kind(of: type) == .integer, let number = type as? any FixedWidthInteger.Type {
      func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
        text.integer(node) as Number?
      }
      return try cast(integer(number), "an integer of type \(type)")
    }
    if any == Data.self {
      guard let string = text.base64(node) else { throw mismatch(type, node, "a base64 string") }
      return try cast(Data(base64Encoded: string), "a base64 string")
    }
    if any == Decimal.self {
      return try cast(JSONForm.decimal(text.scalar(node), isExact: isExact), "a number")
    }
    if any == Date.self, !isExact, let date = text.string(node).flatMap(ISO8601Text.sqliteDate) {
      return unsafeBitCast(date, to: Value.self)
    }
    if any == URL.self, text.nodes[node].token == .string {
      return try cast(text.string(node).flatMap { URL(string: $0) }, "a URL")
    }
    if isExact { return try Value(from: SourceDecoder(self, node)) }
    // A type that accepts several kinds of values may accept a string that is also a date.
    do {
      isExact = true
      defer { isExact = false }
      return try Value(from: SourceDecoder(self, node))
    } catch {
      return try Value(from: SourceDecoder(self, node))
    }
  }

  package func elements(of node: Int) throws -> Range<Int> {
    guard text.nodes[node].token == .beginArray else {
      throw mismatch([Any].self, node, "an array")
    }
    return node + 1..<text.nodes[node].next
  }

  package func node(after element: Int) -> Int { text.nodes[element].next }

  package func checkObject(_ node: Int) throws {
    guard text.nodes[node].token == .beginObject else {
      throw mismatch([String: Any].self, node, "an object")
    }
    // An object of 12 scalar members has 25 nodes.
    guard text.nodes[node].next - node > 25 else { return }
    let names = text.names(node)
    guard names.count > 12 else { return }
    members[node] = Dictionary(
      names.map { (ExactString(text.rawString($0)), $0 + 1) },
      uniquingKeysWith: { first, _ in first })
  }

  package func names(of object: Int) -> [String] {
    let names = text.names(object)
    names.forEach(text.noteRead)
    return names.compactMap(text.string)
  }

  package func member(_ name: String, of object: Int, as type: Any.Type?) -> Int? {
    let name = JSONForm.text(name)
    if !members.isEmpty, let members = members[object] {
      let value = members[ExactString(name)]
      if let value { text.noteRead(value - 1) }
      return value
    }
    return text.member(object, name)
  }

  private func mismatch(_ type: Any.Type, _ node: Int, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath(node),
      debugDescription:
        "expected \(expected), found \(JSONForm.kind(of: text.scalar(node)))")
    return isNull(node) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

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
    // A value that encodes nothing becomes an empty object, as in `JSONEncoder`.
    case .nothing: return .object([])
    case .leaf(let value): return value
    case .array(let elements): return .array(try elements.map { try $0.json(depth: depth + 1) })
    case .object(let members):
      return .object(
        try members.map { JSONValue.Member($0.name, try $0.value.json(depth: depth + 1)) })
    }
  }
}
