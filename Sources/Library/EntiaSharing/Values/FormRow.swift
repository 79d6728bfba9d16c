import EntiaCoding
import EntiaDatabase

/// An object in the form of `JSONForm`, from which generated code reads a row.
struct FormRow: RowReader {
  static var hasNestedEntities: Bool { false }

  private let text: FormText
  private let object: Int
  /// The node of the name after the last member that was found, or the end.
  private var next: Int
  /// Reads the members that are no scalars, and throws the errors of the others.
  private let source: FormSource

  /// Creates a row of an object in a text.
  /// - Throws: `DecodingError` if the value is no object.
  init(_ text: FormText, at object: Int) throws {
    (self.text, self.object, next) = (text, object, object + 1)
    source = FormSource(text, at: object)
    if text.nodes[object].token != .beginObject { try source.checkObject(object) }
  }

  /// Returns the node of a member's value, or `nil` if the object has no such member.
  private mutating func node(_ name: StaticString) -> Int? {
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
        codingPath: [], debugDescription: source.missingMember(key.stringValue, of: object)))
  }

  /// Returns the node of a member's value, or `nil` if the member is missing or null.
  private mutating func present(_ name: StaticString) -> Int? {
    node(name).flatMap { source.isNull($0) ? nil : $0 }
  }

  mutating func hasMember(_ name: StaticString) -> Bool {
    text.member(object, name, from: next) != nil
  }

  func codingPath(_ name: StaticString) -> [any CodingKey] { [NamedKey(name.description)] }

  mutating func member(_ name: StaticString) throws -> String {
    try source.string(required(name))
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> String? {
    try present(name).map(source.string)
  }
  mutating func member(_ name: StaticString) throws -> Int {
    try source.integer(required(name))
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> Int? {
    try present(name).map(source.integer)
  }
  mutating func member(_ name: StaticString) throws -> Double {
    try source.double(required(name))
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> Double? {
    try present(name).map(source.double)
  }
  mutating func member(_ name: StaticString) throws -> Bool {
    try source.bool(required(name))
  }
  mutating func memberIfPresent(_ name: StaticString) throws -> Bool? {
    try present(name).map(source.bool)
  }

  mutating func value<Value: Decodable>(_ name: StaticString) throws -> Value {
    try source.decode(Value.self, required(name))
  }
  mutating func valueIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
    try present(name).map { try source.decode(Value.self, $0) }
  }
}

/// An object in the form of `JSONForm`, which generated code writes for a row.
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
