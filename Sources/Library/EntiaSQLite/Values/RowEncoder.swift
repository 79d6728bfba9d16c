import EntiaCoding
import EntiaDatabase

/// Encodes rows as the values of columns, one for each member.
///
/// One encoder encodes many rows of one table. When a row has a new member, the encoder appends a
/// column for the member.
final class RowEncoder: Encoder {
  /// The member of a row that does not encode itself as an object.
  static let wholeRow = SQLName.wholeRow
  /// The number of bytes of rows after which no further row is kept.
  static let sizeLimit = 1 << 24

  private let row: RowCells
  @exclusivity(unchecked) private var containers = ContainerCache()
  /// Whether rows are kept when further rows are encoded.
  @exclusivity(unchecked) private var keepsRows = false
  /// The index of the selected row; `nil` for the row that was encoded last.
  @exclusivity(unchecked) private var selected: Int?
  /// Whether the current row does not encode itself as an object.
  @exclusivity(unchecked) private var isWhole = false

  var values: ValueEncoder { row.values }
  /// The names of the members, in the order of the columns.
  var members: [String] { row.columns.map(\.member) }
  /// The number of members.
  var memberCount: Int { row.columns.count }
  /// The values of the row that was encoded last; NULL for members that it does not have.
  var cells: [StoredValue] { row.columns.indices.map { current.value(at: $0) } }
  /// The selected row, or else the row that was encoded last.
  var current: ChunkRow {
    guard let selected else { return row.chunk.last }
    return selected < row.chunk.count ? row.chunk[selected] : .none
  }
  /// The rows that are kept.
  var rows: RowChunk { row.chunk }
  /// The number of rows that are kept.
  var rowCount: Int { row.chunk.count }
  /// The number of bytes of the rows that are kept.
  var size: Int { row.chunk.size }
  /// For each member, whether rows have claimed it by reading or writing it. Columns of unclaimed
  /// members are never written.
  var isClaimed: [Bool] { row.columns.map(\.isClaimed) }
  /// A number that increases when a member is added or first claimed.
  var version: Int { row.version }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates an encoder.
  /// - Parameter members: The names of the columns that the table has.
  init(members: [String] = []) { row = RowCells(members: members) }

  /// Encodes a row into `current`.
  /// - Throws: The error that encoding the row throws.
  func encode(_ value: some Encodable) throws {
    begin()
    isWhole = false
    try value.encode(to: self)
    if isWhole { row.set(try values.json.text(of: value), Self.wholeRow) }
    if row.nestedMembers.isEmpty { return }
    let texts = try values.json.members(of: value)
    for member in row.nestedMembers {
      if let text = texts[member] { row.set(text, member) }
    }
  }

  /// Encodes a row into `current`, by the generated code of the row.
  /// - Throws: The error that encoding a member throws.
  func encodeMembers(_ value: some RowCodable) throws {
    begin()
    var writer = CellWriter(row)
    try value.write(to: &writer)
  }

  private func begin() {
    if !keepsRows { row.chunk.removeAll() }
    selected = nil
    row.begin()
  }

  /// Begins to keep the rows that are encoded.
  func keepRows() {
    removeRows()
    keepsRows = true
  }

  /// Stops keeping rows. The rows that are already kept remain.
  func stopKeepingRows() { keepsRows = false }

  /// Removes the rows that are kept.
  func removeRows() {
    keepsRows = false
    selected = nil
    row.chunk.reset()
  }

  /// Sets the `current` row to a kept row.
  func select(_ index: Int) { selected = index }

  /// Marks a member as claimed, if the table has a column for it.
  func claim(_ member: String) { row.claim(member) }

  /// Whether the current row has `value` in a column.
  func hasCell(_ value: StoredValue, at index: Int) -> Bool { current.has(value, at: index) }

  /// Binds the values of some columns of the current row to the first parameters of a statement.
  /// - Throws: `SQLiteFailure`.
  func bind(_ columns: [Int], to statement: SQLiteStatement) throws(SQLiteFailure) {
    let current = current
    for parameter in columns.indices {
      try statement.bind(current, columns[parameter], at: parameter)
    }
  }

  /// Returns the index of a member, or `nil` when no row had it.
  func index(of member: String) -> Int? { row.index(of: member) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    containers.container(keyedBy: type) { KeyedEncodingContainer(RowContainer<Key>(row: row)) }
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    isWhole = true
    return CellDestination.ignoring().unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    isWhole = true
    return CellDestination.ignoring().singleValueContainer()
  }
}

private struct RowContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: RowCells

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { row.set(StoredForm.explicitNil, key.stringValue) }
  func encode(_ value: Bool, forKey key: Key) {
    row.setValue(.integer(value ? 1 : 0), key.stringValue)
  }
  func encode(_ value: String, forKey key: Key) { row.set(value, key.stringValue) }
  func encode(_ value: Double, forKey key: Key) {
    row.set(StoredForm.form(of: value), key.stringValue)
  }
  func encode(_ value: Float, forKey key: Key) {
    row.set(StoredForm.form(of: value), key.stringValue)
  }
  func encode(_ value: Int, forKey key: Key) {
    row.setValue(.integer(Int64(value)), key.stringValue)
  }
  func encode(_ value: Int64, forKey key: Key) {
    row.setValue(.integer(value), key.stringValue)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try row.set(value, key)
  }

  // A member has a column even if its value is nil.
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
      row.setValue(.null, key.stringValue)
      return
    }
    try row.setPresent(value, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    row.nest(key.stringValue)
    return CellDestination.ignoring().container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    row.nest(key.stringValue)
    return CellDestination.ignoring().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(NamedKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: any CodingKey) -> any Encoder {
    DestinationEncoder(CellDestination(.member(key.stringValue, row), codingPath: [key]))
  }
}
