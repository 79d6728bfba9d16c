import EntiaStore

/// The columns of the row to decode.
struct RowColumns {
  private(set) var row: ChunkRow
  private let json = NestedJSON()
  private let members: [String]
  /// The column of each member.
  private let indices: [String: Int]
  private var types = StoredTypes()
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
  }

  /// The names of the members that the current row has.
  var presentMembers: [String] {
    members.indices.filter { row.kind(at: $0) != .null }.map { members[$0] }
  }

  func index(of member: String) -> Int? { indices[member] }

  /// Returns the column of a member, or `nil`. Rows that decode their members in the same order
  /// have it at the cursor, or before it when the member is read again.
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

  func cell(at index: Int, _ path: [any CodingKey], isAmbiguous: Bool = false) -> CellSource {
    CellSource(row.value(at: index), json, isAmbiguous: isAmbiguous, at: path)
  }

  /// Whether a value is NULL or an explicit `nil`, and not an optional that contains `nil`.
  @inline(__always)
  func isNil(at index: Int) -> Bool {
    switch row.kind(at: index) {
    case .null: true
    case .blob: row.value(at: index) == StoredForm.explicitNil
    default: false
    }
  }

  /// Returns the stored type of the values of a column.
  @inline(__always)
  mutating func storedType<Value>(of index: Int, _ type: Value.Type) -> StoredType {
    types.type(of: index, type)
  }
}

/// Columns for one decoder at a time.
///
/// Containers refer to the columns without retaining them, because the standard library copies a
/// container for each member. A container may outlive its decoder. The columns are therefore never
/// freed, but reused by the next decoder.
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

  /// Takes memory back. Its columns have only NULL until they are reused.
  func put(_ pointer: UnsafeMutablePointer<RowColumns>) {
    pointer.pointee = RowColumns(.none, members: [])
    unused.withLock { $0.append(Columns(pointer: pointer)) }
  }
}
