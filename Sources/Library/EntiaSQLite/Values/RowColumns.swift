import EntiaStore

/// The columns of the row to decode.
struct RowColumns {
  private(set) var row: ChunkRow
  private let json = NestedJSON()
  private let members: [String]
  /// The column of each member.
  private let indices: [String: Int]
  private var types = StoredTypes()
  /// The columns by the names that generated code uses.
  private var names = NamedColumns()
  /// The column that the next member probably has.
  private var cursor = 0
  private(set) var isClaimed: [Bool]

  init(_ row: ChunkRow, members: [String]) {
    self.row = row
    self.members = members
    indices = Dictionary(
      members.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    isClaimed = members.map { _ in false }
  }

  /// Begins a row.
  @inline(__always)
  mutating func begin(_ row: ChunkRow) {
    self.row = row
    cursor = 0
    names.begin()
  }

  /// The names of the members that the current row has.
  var presentMembers: [String] {
    members.indices.filter { row.kind(at: $0) != .null }.map { members[$0] }
  }

  func index(of member: String) -> Int? { indices[member] }

  /// Returns the column of a member, or `nil`. If rows decode their members in the order of the
  /// columns, the column is at the cursor. If a member is read again, the column is before it.
  @inline(__always)
  mutating func column(_ member: String) -> Int? {
    let index: Int
    if cursor < members.count, members[cursor] == member {
      index = cursor
      cursor += 1
    } else if cursor > 0, members[cursor - 1] == member {
      index = cursor - 1
    } else if let known = indices[member] {
      index = known
      cursor = known + 1
    } else {
      return nil
    }
    if !isClaimed[index] { isClaimed[index] = true }
    return index
  }

  /// Returns the column of a member that generated code reads, or `NamedColumns.missing`.
  @inline(__always)
  mutating func column(_ name: StaticString) -> Int { names.column(name) ?? find(name) }

  @inline(never)
  private mutating func find(_ name: StaticString) -> Int {
    let index = column(name.description) ?? NamedColumns.missing
    names.append(name, index)
    return index
  }

  /// Returns the source from which the member in a column is decoded.
  /// - Throws: `DecodingError` for a text that is not UTF-8.
  func cell(
    at index: Int, _ path: [any CodingKey], isAmbiguous: Bool = false
  ) throws -> CellSource {
    CellSource(try value(at: index, path), json, isAmbiguous: isAmbiguous, at: path)
  }

  /// Returns a value of the current row.
  /// - Parameters:
  ///   - index: The column.
  ///   - path: The path in the error.
  /// - Throws: `DecodingError` for a text that is not UTF-8.
  func value(at index: Int, _ path: [any CodingKey]) throws -> StoredValue {
    guard row.kind(at: index) == .text else { return row.value(at: index) }
    if let text = row.validText(at: index) { return .text(text) }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: "\(row.value(at: index)) has bytes that are not UTF-8"))
  }

  /// Returns whether the value in a column is NULL or `StoredForm.explicitNil`. The form of
  /// `.some(nil)` is `StoredForm.presentNil`, and does not count.
  @inline(__always)
  func isNil(at index: Int) -> Bool {
    switch row.kind(at: index) {
    case .null: true
    case .blob: row.value(at: index) == StoredForm.explicitNil
    default: false
    }
  }

  /// Returns the Boolean value that is stored as 0 or 1; `nil` for any other value.
  @inline(__always)
  func bool(at index: Int) -> Bool? {
    guard row.kind(at: index) == .integer else { return nil }
    switch row.integer(at: index) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  /// Returns the error for a member that the table does not have.
  static func missing(_ key: some CodingKey) -> DecodingError {
    .keyNotFound(
      key, DecodingError.Context(codingPath: [], debugDescription: "the table has no such column"))
  }

  /// Returns the stored type of the values of a column.
  @inline(__always)
  mutating func storedType<Value>(of index: Int, _ type: Value.Type) -> StoredType {
    types.type(of: index, type)
  }
}

/// Memory for columns. One decoder at a time uses a piece of this memory.
///
/// Containers do not retain the columns. The standard library copies a container for each member,
/// and each copy would cost a retain. A container may outlive its decoder, so the memory is never
/// freed. The next decoder uses the memory again.
final class RowColumnsPool: Sendable {
  private struct Columns: @unchecked Sendable {
    // Unchecked because only the pool or one decoder has the pointer.
    let pointer: UnsafeMutablePointer<RowColumns>
  }

  /// The pool of all decoders.
  static let shared = RowColumnsPool()

  private let unused = Mutex<[Columns]>([])

  /// Returns memory with columns, for one decoder.
  func take(_ columns: RowColumns) -> UnsafeMutablePointer<RowColumns> {
    if let place = unused.withLock({ $0.popLast() }) {
      place.pointer.pointee = columns
      return place.pointer
    }
    let pointer = UnsafeMutablePointer<RowColumns>.allocate(capacity: 1)
    pointer.initialize(to: columns)
    return pointer
  }

  /// Takes memory back from a decoder. A container that outlives the decoder then reads NULL from
  /// the memory, until another decoder reuses the memory.
  func put(_ pointer: UnsafeMutablePointer<RowColumns>) {
    pointer.pointee = RowColumns(.none, members: [])
    unused.withLock { $0.append(Columns(pointer: pointer)) }
  }
}

/// The columns of the names that generated code uses, in the order of their first use in a row.
///
/// Generated code passes the same address for a name in each row. Names are therefore found by
/// their addresses, and compared with the names of the columns only at their first use.
struct NamedColumns {
  /// The index of a column that the table does not have. Its values are NULL in all rows.
  static let missing = Int.max

  private struct Entry {
    let name: UnsafePointer<UInt8>
    let count: Int
    let column: Int

    func isNamed(_ other: StaticString) -> Bool {
      name == other.utf8Start && count == other.utf8CodeUnitCount
    }
  }

  private var entries: ContiguousArray<Entry> = []
  /// The index of the entry that is probably used next.
  private var cursor = 0

  /// Begins a row.
  @inline(__always)
  mutating func begin() { cursor = 0 }

  /// Returns the column of a name, if the name has been used.
  @inline(__always)
  mutating func column(_ name: StaticString) -> Int? {
    guard name.hasPointerRepresentation else { return nil }
    if cursor < entries.count, entries[cursor].isNamed(name) {
      cursor += 1
      return entries[cursor - 1].column
    }
    return find(name)
  }

  @inline(never)
  private mutating func find(_ name: StaticString) -> Int? {
    // Generated code often uses a name twice, for `hasMember(_:)` and then to read the member.
    if cursor > 0, entries[cursor - 1].isNamed(name) { return entries[cursor - 1].column }
    guard let index = entries.firstIndex(where: { $0.isNamed(name) }) else { return nil }
    cursor = index + 1
    return entries[index].column
  }

  /// Stores the column of a name that is used for the first time.
  mutating func append(_ name: StaticString, _ column: Int) {
    guard name.hasPointerRepresentation else { return }
    entries.append(Entry(name: name.utf8Start, count: name.utf8CodeUnitCount, column: column))
    cursor = entries.count
  }
}
