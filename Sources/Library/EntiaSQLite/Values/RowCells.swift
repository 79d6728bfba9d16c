/// The values of the encoded rows. Containers retain this object instead of the encoder. The
/// encoder retains a container, so a container must not retain the encoder.
///
/// Encoding a member takes several calls of these methods. The calls take half the time because the
/// memory is not reference-counted and exclusive access is not checked. Exclusive access need not
/// be checked, because no code of a row runs while a property is accessed.
final class RowCells {
  /// A column.
  struct Column {
    let member: String
    /// Whether rows have read or written the member.
    var isClaimed = false
    /// The type of the value that was encoded last.
    var type: ObjectIdentifier?
    var storedType = StoredType.other
  }

  let values = ValueEncoder()
  /// The rows. The last row is being encoded. Its values are NULL for members that it does not
  /// have.
  let chunk = RowChunk()
  /// The columns, in the order of their first appearance.
  @exclusivity(unchecked) private(set) var columns = UnsafeMutableBufferPointer<Column>(
    start: nil, count: 0)
  /// A number that increases when a member is added or first claimed.
  @exclusivity(unchecked) private(set) var version = 0
  /// The members of the current row that the row encodes into nested containers.
  @exclusivity(unchecked) private(set) var nestedMembers: [String] = []
  private var indices: [String: Int] = [:]
  /// The columns by the names that generated code uses.
  @exclusivity(unchecked) private var names = NamedColumns()
  /// The index that the next member probably has.
  @exclusivity(unchecked) private var cursor = 0

  init(members: [String]) {
    for member in members { append(member) }
  }

  deinit {
    columns.deinitialize()
    columns.deallocate()
  }

  /// Begins a row.
  func begin() {
    chunk.addRow(columnCount: columns.count)
    cursor = 0
    names.begin()
    if !nestedMembers.isEmpty { nestedMembers.removeAll(keepingCapacity: true) }
  }

  /// Marks a member as claimed, if the table has a column for it.
  func claim(_ member: String) {
    if let index = indices[member] { claim(at: index) }
  }

  /// Returns the index of a member, or `nil` when no row had it.
  func index(of member: String) -> Int? { indices[member] }

  private func claim(at index: Int) {
    if columns[index].isClaimed { return }
    columns[index].isClaimed = true
    version += 1
  }

  private func append(_ member: String) {
    indices[member] = columns.count
    // The memory grows by one column, because rows have few members, and most rows add none.
    let larger = UnsafeMutableBufferPointer<Column>.allocate(capacity: columns.count + 1)
    let end = larger.moveInitialize(fromContentsOf: columns)
    larger.initializeElement(at: end, to: Column(member: member))
    columns.deallocate()
    columns = larger
    version += 1
    if chunk.count > 0 { chunk.extendRow(by: 1) }
  }

  /// Returns the column of a member, or `nil` when no row had it. If rows encode their members in
  /// the order of the columns, the column is at the cursor.
  @inline(__always)
  private func known(_ member: String) -> Int? {
    cursor < columns.count && columns[cursor].member == member ? cursor : indices[member]
  }

  /// Returns the column of a member that is being set.
  @inline(__always)
  private func place(_ member: String) -> Int {
    let index: Int
    if let known = known(member) {
      index = known
    } else {
      append(member)
      index = columns.count - 1
    }
    note(index)
    return index
  }

  /// Returns the column of a member that generated code sets.
  @inline(__always)
  func place(_ name: StaticString) -> Int { names.column(name) ?? find(name) }

  @inline(never)
  private func find(_ name: StaticString) -> Int {
    let index = place(name.description)
    names.append(name, index)
    return index
  }

  /// Notes that a member is being set.
  @inline(__always)
  private func note(_ index: Int) {
    cursor = index + 1
    claim(at: index)
  }

  /// Sets a member.
  func set(_ value: StoredValue, _ member: String) { chunk.set(value, at: place(member)) }

  /// Sets a member.
  func setValue(_ value: RowChunk.Value, _ member: String) {
    chunk.setValue(value, at: place(member))
  }

  /// Sets a member.
  func set(_ text: String, _ member: String) { chunk.setText(text, at: place(member)) }

  /// Sets a member that generated code writes.
  @inline(__always)
  func set(_ text: String, _ name: StaticString) { chunk.setText(text, at: place(name)) }

  /// Sets a member that generated code writes.
  @inline(__always)
  func set(_ number: Double, _ name: StaticString) { chunk.set(number, at: place(name)) }

  /// Sets a member that generated code writes.
  @inline(__always)
  func setValue(_ value: RowChunk.Value, _ name: StaticString) {
    chunk.setValue(value, at: place(name))
  }

  /// Sets a member to the form of a value.
  /// - Throws: The error that encoding the value throws.
  func set<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let member = key.stringValue
    if setScalar(value, member) { return }
    set(try values.form(of: value, at: [key]), member)
  }

  /// Sets a member to the form of an optional, given its wrapped value. If the wrapped value is
  /// `nil`, the form is `StoredForm.presentNil`.
  /// - Throws: The error that encoding the value throws.
  func setPresent<Value: Encodable>(_ value: Value, _ key: some CodingKey) throws {
    let member = key.stringValue
    if setScalar(value, member) { return }
    set(StoredForm.present(try values.form(of: value, at: [key])), member)
  }

  /// Sets a member to the form of a value, if the type alone decides the form and the table has a
  /// column for the member.
  /// - Returns: Whether the member was set.
  @inline(__always)
  private func setScalar<Value>(_ value: Value, _ member: String) -> Bool {
    guard let index = known(member), setScalar(value, at: index) else { return false }
    note(index)
    return true
  }

  /// Sets a column to the form of a value, if the type alone decides the form.
  /// - Returns: Whether the column was set.
  @inline(__always)
  func setScalar<Value>(_ value: Value, at index: Int) -> Bool {
    let type = ObjectIdentifier(Value.self)
    if columns[index].type != type {
      columns[index].type = type
      columns[index].storedType = StoredType(Value.self)
    }
    return columns[index].storedType.set(value, in: chunk, at: index)
  }

  /// Notes that the row encodes a member into a nested container.
  func nest(_ member: String) { nestedMembers.append(member) }
}
