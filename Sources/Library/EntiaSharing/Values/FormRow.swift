import EntiaCoding
import EntiaDatabase

/// An object in the form of `JSONForm`, from which generated code reads a row.
struct FormRow: RowReader {
  static var hasNestedEntities: Bool { false }

  private let text: FormText
  private let object: Int
  /// An object whose members are read instead of the equally named members of `object`.
  private let replaced: Int?
  /// The node at which the next search begins: the name after the member that was found by the
  /// previous search, or the end of the object.
  private var next: Int

  /// Creates a row of an object in a text.
  /// - Parameters:
  ///   - text: The text.
  ///   - object: The node of the object.
  ///   - replaced: The node of an object whose members are read instead of the equally named
  ///     members of `object`.
  /// - Throws: `DecodingError` if the value is no object.
  init(_ text: FormText, at object: Int, replacing replaced: Int? = nil) throws {
    (self.text, self.object, self.replaced, next) = (text, object, replaced, object + 1)
    if text.nodes[object].token != .beginObject {
      try FormSource(text, at: object).checkObject(object)
    }
  }

  /// Returns a source for a value that the methods of `FormText` cannot read. The source decodes a
  /// value that is no scalar, and throws the error for a scalar of the wrong type. The source
  /// begins at the object that contains the node, so that paths in errors begin at this object.
  private func source(of node: Int) -> FormSource {
    let isReplaced = replaced.map { $0..<text.nodes[$0].next ~= node } ?? false
    return FormSource(text, at: isReplaced ? replaced ?? object : object)
  }

  /// Returns the node of a member's value, or `nil` if the object has no such member.
  private mutating func node(_ name: StaticString) -> Int? {
    if let replaced, let node = text.member(replaced, name, from: replaced + 1) { return node }
    guard let node = text.member(object, name, from: next) else { return nil }
    next = text.nodes[node].next
    return node
  }

  private mutating func required(_ name: StaticString) throws -> Int {
    if let node = node(name) { return node }
    let key = NamedKey(name.description)
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: [],
        debugDescription: source(of: object).missingMember(key.stringValue, of: object)))
  }

  /// Returns the node of a member's value, or `nil` if the member is missing or null.
  private mutating func present(_ name: StaticString) -> Int? {
    node(name).flatMap { text.nodes[$0].token == .null ? nil : $0 }
  }

  mutating func hasMember(_ name: StaticString) -> Bool {
    if let replaced, text.member(replaced, name, from: replaced + 1) != nil { return true }
    return text.member(object, name, from: next) != nil
  }

  func codingPath(_ name: StaticString) -> [any CodingKey] { [NamedKey(name.description)] }

  private func string(_ node: Int) throws -> String {
    try text.string(node) ?? source(of: node).string(node)
  }
  private func integer(_ node: Int) throws -> Int {
    try text.integer(node) ?? source(of: node).integer(node)
  }
  private func double(_ node: Int) throws -> Double {
    try text.double(node) ?? source(of: node).double(node)
  }
  private func bool(_ node: Int) throws -> Bool {
    try text.bool(node) ?? source(of: node).bool(node)
  }
  private func decoded<Value: Decodable>(_ node: Int) throws -> Value {
    try text.identifier(node, as: Value.self) ?? source(of: node).decode(Value.self, node)
  }

  mutating func member(_ name: StaticString) throws -> String { try string(required(name)) }
  mutating func memberIfPresent(_ name: StaticString) throws -> String? {
    try present(name).map(string)
  }
  mutating func member(_ name: StaticString) throws -> Int { try integer(required(name)) }
  mutating func memberIfPresent(_ name: StaticString) throws -> Int? {
    try present(name).map(integer)
  }
  mutating func member(_ name: StaticString) throws -> Double { try double(required(name)) }
  mutating func memberIfPresent(_ name: StaticString) throws -> Double? {
    try present(name).map(double)
  }
  mutating func member(_ name: StaticString) throws -> Bool { try bool(required(name)) }
  mutating func memberIfPresent(_ name: StaticString) throws -> Bool? {
    try present(name).map(bool)
  }

  mutating func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try decoded(required(name))
  }
  mutating func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    // The variable has a type, because otherwise the value would be decoded as an optional.
    guard let node = present(name) else { return nil }
    let value: Value = try decoded(node)
    return value
  }
}

/// An object in the form of `JSONForm`, to which generated code writes a row.
struct FormWriter: RowWriter {
  static var hasNestedEntities: Bool { false }

  private var members: [JSONValue.Member] = []

  /// Returns the JSON of a row.
  /// - Throws: The error that encoding a member throws, and `EncodingError` if a member is nested
  ///   too deeply to be read.
  static func json(of row: some RowCodable) throws -> JSONValue {
    var writer = FormWriter()
    try row.write(to: &writer)
    return .object(writer.members)
  }

  private mutating func append(_ name: StaticString, _ value: JSONValue) {
    members.append(JSONValue.Member(JSONForm.text(name.description), value))
  }

  mutating func setMember(_ name: StaticString, to value: String) {
    append(name, .string(JSONForm.text(value)))
  }
  mutating func setMember(_ name: StaticString, to value: Int) {
    append(name, .number(JSONNumber(value)))
  }
  mutating func setMember(_ name: StaticString, to value: Double) {
    append(name, JSONForm.form(of: value))
  }
  mutating func setMember(_ name: StaticString, to value: Bool) { append(name, .bool(value)) }

  mutating func setValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    append(name, try FormDestination.json(of: value, at: [NamedKey(name.description)]))
  }
  mutating func setPresentValue<Value: Encodable>(_ name: StaticString, to value: Value) throws {
    try setValue(name, to: value)
  }
  mutating func setMissing(_ name: StaticString) {}
  mutating func setNull(_ name: StaticString) { append(name, .null) }
}
