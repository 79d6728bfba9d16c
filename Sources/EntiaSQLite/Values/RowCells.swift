/// The values of a row that is being encoded. Containers retain it rather than the encoder, which
/// retains a container.
///
/// Several calls for each member lead here: memory without counted references and without checks of
/// exclusive access halves their time. No code of a user runs during an access.
final class RowCells {
  /// A column, with the value of the current row.
  struct Column {
    let member: String
    /// NULL if the row does not have the member.
    var cell = StoredValue.null
    /// Whether rows have the member.
    var isClaimed = false
    /// The type of the value that was encoded last.
    var type: ObjectIdentifier?
    var storedType = StoredType.other
  }

  let values = ValueEncoder()
  /// The columns, in the order of their first appearance.
  @exclusivity(unchecked) private(set) var columns = UnsafeMutableBufferPointer<Column>(
    start: nil, count: 0)
  /// A number that grows with each new member, and with each column that rows have for the first
  /// time.
  @exclusivity(unchecked) private(set) var version = 0
  /// The members of the current row whose containers the row fills itself.
  @exclusivity(unchecked) private(set) var nestedMembers: [String] = []
  private var indices: [String: Int] = [:]
  /// The index that the next member probably has.
  @exclusivity(unchecked) private var cursor = 0

  init(members: [String]) {
    for member in members { append(member) }
  }

  deinit {
    columns.deinitialize()
    columns.deallocate()
  }

  /// Removes the values of the last row.
  func clear() {
    for index in columns.indices { columns[index].cell = .null }
    cursor = 0
    if !nestedMembers.isEmpty { nestedMembers.removeAll(keepingCapacity: true) }
  }

  /// Notes that rows have a member, if the table has a column for it.
  func claim(_ member: String) {
    if let index = indices[member] { claim(at: index) }
  }

  /// Returns the index of a member, or `nil` when no row had it.
  func index(of member: String) -> Int? { indices[member] }

  /// Binds the values of some columns to the first parameters of a statement.
  /// - Throws: `SQLiteFailure`.
  func bind(_ indices: [Int], to statement: SQLiteStatement) throws(SQLiteFailure) {
    for parameter in indices.indices {
      try statement.bind(columns[indices[parameter]].cell, at: parameter)
    }
  }

  private func claim(at index: Int) {
    if columns[index].isClaimed { return }
    columns[index].isClaimed = true
    version += 1
  }

  private func append(_ member: String) {
    indices[member] = columns.count
    // Rows have few members, and all appear in the first rows.
    let larger = UnsafeMutableBufferPointer<Column>.allocate(capacity: columns.count + 1)
    let end = larger.moveInitialize(fromContentsOf: columns)
    larger.initializeElement(at: end, to: Column(member: member))
    columns.deallocate()
    columns = larger
    version += 1
  }

  /// Returns the column of a member, or `nil` when no row had it. Rows that encode their members in
  /// the same order have it at the cursor.
  @inline(__always)
  private func known(_ member: String) -> Int? {
    cursor < columns.count && columns[cursor].member == member ? cursor : indices[member]
  }

  @inline(__always)
  private func set(_ value: StoredValue, at index: Int) {
    columns[index].cell = value
    cursor = index + 1
    claim(at: index)
  }

  /// Sets a member.
  func set(_ value: StoredValue, _ member: String) {
    if let index = known(member) { return set(value, at: index) }
    append(member)
    set(value, at: columns.count - 1)
  }

  /// Sets a member to the form of a value.
  /// - Throws: The error that encoding the value throws.
  func set<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let member = key.stringValue
    if setScalar(value, member) { return }
    set(try values.form(of: value, at: [key]), member)
  }

  /// Sets a member to the form of a value in an optional, which differs from that of no value.
  /// - Throws: The error that encoding the value throws.
  func setPresent<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let member = key.stringValue
    if setScalar(value, member) { return }
    let form = try values.form(of: value, at: [key])
    set(form == StoredForm.explicitNil ? StoredForm.presentNil : form, member)
  }

  /// Sets a member to the form of a value whose type decides it, if the table has a column for it.
  /// - Returns: Whether the member was set.
  @inline(__always)
  private func setScalar<Value>(_ value: Value, _ member: String) -> Bool {
    guard let index = known(member) else { return false }
    let type = ObjectIdentifier(Value.self)
    if columns[index].type != type {
      columns[index].type = type
      columns[index].storedType = StoredType(Value.self)
    }
    guard let form = columns[index].storedType.form(of: value) else { return false }
    set(form, at: index)
    return true
  }

  /// Notes that the row fills the container of a member itself.
  func nest(_ member: String) -> DiscardingEncoder {
    nestedMembers.append(member)
    return DiscardingEncoder(codingPath: [])
  }
}
