/// Encodes rows as the values of columns, one for each member.
///
/// It is used for many rows of one table. It learns the members from the rows: a row with a member
/// that no row had appends the member.
final class RowEncoder: Encoder {
  /// The member of a row that does not encode itself as an object.
  static let wholeRow = SQLName.wholeRow

  let values = ValueEncoder()
  /// The names of the members, in the order of the columns.
  private(set) var members: [String] = []
  /// The values of the current row; NULL for members that it does not have.
  private(set) var cells: [StoredValue] = []
  /// Whether the rows have a member, which then may be NULL; a column without one is never written.
  private(set) var isClaimed: [Bool] = []
  private var indices: [String: Int] = [:]
  /// The index that the next member probably has.
  private var cursor = 0
  /// The members of the current row whose containers the row fills itself.
  private var nestedMembers: [String] = []
  /// Whether the current row does not encode itself as an object.
  private var isWhole = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates an encoder.
  /// - Parameter members: The names of the columns that the table has.
  init(members: [String] = []) {
    for member in members { append(member) }
  }

  /// Encodes a row into `cells`.
  /// - Throws: The error that encoding the row throws.
  func encode(_ row: some Encodable) throws {
    for index in cells.indices { cells[index] = .null }
    cursor = 0
    isWhole = false
    nestedMembers.removeAll(keepingCapacity: true)
    try row.encode(to: self)
    if isWhole { set(.text(try values.json.text(of: row)), Self.wholeRow) }
    if nestedMembers.isEmpty { return }
    let texts = try values.json.members(of: row)
    for member in nestedMembers { if let text = texts[member] { set(.text(text), member) } }
  }

  /// Notes that rows have a member, if the table has a column for it.
  func claim(_ member: String) {
    if let index = indices[member] { isClaimed[index] = true }
  }

  private func append(_ member: String) {
    indices[member] = members.count
    members.append(member)
    cells.append(.null)
    isClaimed.append(false)
  }

  /// Returns the index of a member, or `nil` when no row had it.
  func index(of member: String) -> Int? { indices[member] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RowContainer(row: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isWhole = true
    return DiscardingEncoder(codingPath: []).unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    isWhole = true
    return DiscardingEncoder(codingPath: []).singleValueContainer()
  }

  fileprivate func set(_ value: StoredValue, _ member: String) {
    if cursor < members.count, members[cursor] == member {
      cells[cursor] = value
      isClaimed[cursor] = true
      cursor += 1
      return
    }
    if indices[member] == nil { append(member) }
    guard let index = indices[member] else { return }
    cells[index] = value
    isClaimed[index] = true
    cursor = index + 1
  }

  /// Notes that the row fills the container of a member itself.
  fileprivate func nest(_ member: String) -> DiscardingEncoder {
    nestedMembers.append(member)
    return DiscardingEncoder(codingPath: [])
  }
}

private struct RowContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: RowEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { row.set(StoredForm.explicitNil, key.stringValue) }
  func encode(_ value: Bool, forKey key: Key) {
    row.set(StoredForm.form(of: value), key.stringValue)
  }
  func encode(_ value: String, forKey key: Key) { row.set(.text(value), key.stringValue) }
  func encode(_ value: Double, forKey key: Key) {
    row.set(StoredForm.form(of: value), key.stringValue)
  }
  func encode(_ value: Float, forKey key: Key) {
    row.set(StoredForm.form(of: value), key.stringValue)
  }
  func encode(_ value: Int, forKey key: Key) {
    row.set(.integer(Int64(value)), key.stringValue)
  }
  func encode(_ value: Int64, forKey key: Key) { row.set(.integer(value), key.stringValue) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    row.set(try row.values.form(of: value, at: [key]), key.stringValue)
  }

  // A member that is nil has a column, too.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try set(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try set(value, key)
  }

  private func set<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    guard let value else {
      row.set(.null, key.stringValue)
      return
    }
    let form = try row.values.form(of: value, at: [key])
    row.set(form == StoredForm.explicitNil ? StoredForm.presentNil : form, key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { row.nest(key.stringValue).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    row.nest(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { MemberEncoder(row: row, member: "super", codingPath: []) }
  func superEncoder(forKey key: Key) -> any Encoder {
    MemberEncoder(row: row, member: key.stringValue, codingPath: [key])
  }
}

/// The encoder of one member, for a value that encodes itself into it. Its reader receives a decoder
/// and may accept several types.
private struct MemberEncoder: Encoder, SingleValueEncodingContainer {
  let row: RowEncoder
  let member: String
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    row.nest(member).container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { row.nest(member).unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { row.set(StoredForm.explicitNil, member) }

  func encode<Value: Encodable>(_ value: Value) throws {
    row.set(try row.values.form(of: value, isAmbiguous: true, at: codingPath), member)
  }
}
