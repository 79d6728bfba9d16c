/// Decodes rows of a statement's result, each member from the column with its name.
final class RowDecoder: Decoder {
  fileprivate let statement: SQLiteStatement
  fileprivate let json = JSONText()
  private let members: [String]
  /// The column of each member.
  private let indices: [String: Int]
  private var cursor = 0
  /// Whether rows have read a member.
  private(set) var isClaimed: [Bool]

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates a decoder.
  /// - Parameters:
  ///   - statement: The statement whose current row is decoded.
  ///   - members: The names of the members in its first columns.
  init(_ statement: SQLiteStatement, members: [String]) {
    self.statement = statement
    self.members = members
    indices = Dictionary(
      members.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    isClaimed = members.map { _ in false }
  }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
    cursor = 0
    return try Row(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowDecodingContainer(row: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try wholeRow().unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try wholeRow().singleValueContainer()
  }

  private func wholeRow() throws -> any Decoder {
    guard let index = indices[RowEncoder.wholeRow] else {
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(codingPath: [], debugDescription: "the row has members"))
    }
    return try value(at: index, []).nestedDecoder([String: Any].self)
  }

  /// The names of the members that the current row has.
  fileprivate var presentMembers: [String] {
    members.indices.filter { statement.kind(at: $0) != .null }.map { members[$0] }
  }

  /// Returns the column of a member, or `nil`.
  fileprivate func column(_ member: String) -> Int? {
    guard let index = find(member) else { return nil }
    isClaimed[index] = true
    return index
  }

  private func find(_ member: String) -> Int? {
    if cursor < members.count, members[cursor] == member { return cursor }
    if cursor + 1 < members.count, members[cursor + 1] == member {
      cursor += 1
      return cursor
    }
    guard let index = indices[member] else { return nil }
    cursor = index
    return index
  }

  fileprivate func value(
    at index: Int, _ path: [any CodingKey], isAmbiguous: Bool = false
  ) -> ValueDecoder {
    ValueDecoder(
      value: statement.value(at: index), json: json, isAmbiguous: isAmbiguous, codingPath: path)
  }
}

private struct RowDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: RowDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.presentMembers.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool {
    row.column(key.stringValue).map { row.statement.kind(at: $0) != .null } ?? false
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let index = row.column(key.stringValue) else { return true }
    return switch row.statement.kind(at: index) {
    case .null: true
    // Not a value that is nil in an optional.
    case .blob: row.statement.value(at: index) == StoredForm.explicitNil
    default: false
    }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let index = try column(key)
    if row.statement.kind(at: index) == .text { return row.statement.text(at: index) }
    return try row.value(at: index, [key]).decode(type)
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    let index = try column(key)
    if row.statement.kind(at: index) == .integer {
      if let number = Int(exactly: row.statement.integer(at: index)) { return number }
    }
    return try row.value(at: index, [key]).decode(type)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let index = try column(key)
    if row.statement.kind(at: index) == .real { return row.statement.real(at: index) }
    return try row.value(at: index, [key]).decode(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.value(at: try column(key), [key]).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try row.value(at: try column(key), [key]).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try row.value(at: try column(key), [key]).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let index = row.column("super") else {
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(codingPath: [], debugDescription: "the row has no member super"))
    }
    return row.value(at: index, [], isAmbiguous: true)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    row.value(at: try column(key), [key], isAmbiguous: true)
  }

  private func column(_ key: Key) throws -> Int {
    guard let index = row.column(key.stringValue) else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: [], debugDescription: "the table has no such column"))
    }
    return index
  }
}
