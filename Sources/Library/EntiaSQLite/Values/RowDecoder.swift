import EntiaCoding
import EntiaStore

/// The columns of the row that is being decoded.
///
/// Several calls for each member lead here, without checks of exclusive access: no code of a user
/// runs during an access.
final class RowColumns: DecodingSource {
  // Columns are in a pool when no decoder uses them.
  var isImmortal: Bool { true }

  /// The node of the row itself. The node of a member is its column.
  static let rowNode = -1

  @exclusivity(unchecked) private(set) var row = ChunkRow.none
  private let json = JSONText()
  @exclusivity(unchecked) private var members: [String]
  /// The column of each member.
  @exclusivity(unchecked) private var indices: [String: Int]
  @exclusivity(unchecked) private var types = StoredTypes()
  @exclusivity(unchecked) private var containers = ContainerCache()
  /// The column that the next member probably has.
  @exclusivity(unchecked) private var cursor = 0
  @exclusivity(unchecked) private(set) var isClaimed: [Bool] = []

  fileprivate init() { (members, indices) = ([], [:]) }

  /// Begins with the rows of a table.
  fileprivate func begin(members: [String]) {
    self.members = members
    indices = Dictionary(
      members.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    isClaimed = members.map { _ in false }
  }

  /// Begins with a row.
  @inline(__always)
  func begin(_ row: ChunkRow) {
    self.row = row
    cursor = 0
  }

  /// Removes the row and its columns. A container that outlives its decoder has no values then.
  fileprivate func end() {
    begin(.none)
    begin(members: [])
  }

  func index(of member: String) -> Int? { indices[member] }

  /// Returns the column of a member, or `nil`. Rows that decode their members in the same order
  /// have it at the cursor, or before it when the member is read again.
  @inline(__always)
  func column(_ member: String) -> Int? {
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

  /// Whether a value is NULL or an explicit `nil`, and not one that is `nil` in an optional.
  @inline(__always)
  func isNil(at index: Int) -> Bool {
    switch row.kind(at: index) {
    case .null: true
    case .blob: row.value(at: index) == StoredForm.explicitNil
    default: false
    }
  }

  private func cell(_ column: Int, isAmbiguous: Bool = false) -> CellSource {
    CellSource(row.value(at: column), json, isAmbiguous: isAmbiguous, at: codingPath(column))
  }
}

extension RowColumns {
  func codingPath(_ node: Int) -> [any CodingKey] {
    members.indices.contains(node) ? [NamedKey(members[node])] : []
  }

  func isNull(_ node: Int) -> Bool { isNil(at: node) }

  func string(_ node: Int) throws -> String {
    row.kind(at: node) == .text ? row.text(at: node) : try cell(node).decode(String.self)
  }

  func int(_ node: Int) throws -> Int {
    if row.kind(at: node) == .integer, let number = Int(exactly: row.integer(at: node)) {
      return number
    }
    return try cell(node).decode(Int.self)
  }

  func double(_ node: Int) throws -> Double {
    row.kind(at: node) == .real ? row.real(at: node) : try cell(node).decode(Double.self)
  }

  func decode<Value: Decodable>(_ type: Value.Type, _ node: Int) throws -> Value {
    try types.type(of: node, type).value(type, of: row, at: node) { try cell(node).decode(type) }
  }

  // A row without members is a value in a column of its own; a member with parts is JSON.
  func otherDecoder(_ node: Int, for use: DecoderUse) throws -> (any Decoder)? {
    guard node == Self.rowNode else { return try cell(node).otherDecoder(0, for: use) }
    if case .object = use { return nil }
    guard let column = index(of: RowEncoder.wholeRow) else {
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(codingPath: [], debugDescription: "the row has members"))
    }
    return try cell(column).nestedDecoder([String: Any].self)
  }

  // Only `otherDecoder(_:for:)` has arrays and other objects than the row.
  func elements(of node: Int) -> Range<Int> { 0..<0 }
  func checkObject(_ node: Int) {}

  func names(of object: Int) -> [String] {
    members.indices.filter { row.kind(at: $0) != .null }.map { members[$0] }
  }

  func hasMember(_ name: String, of object: Int) -> Bool {
    column(name).map { row.kind(at: $0) != .null } ?? false
  }

  func member(_ name: String, of object: Int, as type: Any.Type?) -> Int? { column(name) }

  var areMissingMembersNull: Bool { true }
  func missingMember(_ name: String, of object: Int) -> String { "the table has no such column" }

  func decoder(_ node: Int) -> any Decoder { cell(node, isAmbiguous: true).decoder(0) }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type, _ make: () -> KeyedDecodingContainer<Key>
  ) -> KeyedDecodingContainer<Key> { containers.container(keyedBy: type, make) }
}

/// Decodes rows, each member from the column with its name.
final class RowDecoder {
  private let pool: RowColumnsPool
  private let columns: RowColumns

  /// Whether rows have read a member.
  var isClaimed: [Bool] { columns.isClaimed }

  /// Creates a decoder.
  /// - Parameters:
  ///   - members: The names of the members in the first columns of the rows.
  ///   - pool: The pool that the columns are taken from.
  init(members: [String], pool: RowColumnsPool = .shared) {
    self.pool = pool
    columns = pool.take(members: members)
  }

  deinit { pool.put(columns) }

  /// Sets the row that is decoded. Its chunk must exist until another row is set, or until the
  /// decoder is released.
  @inline(__always)
  func begin(_ current: ChunkRow) { columns.begin(current) }

  /// Returns the current row as a value.
  /// - Throws: `DecodingError`, and the error that the type throws.
  func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
    try Row(from: SourceDecoder(columns, RowColumns.rowNode))
  }

  /// Returns a value of the current row.
  func value(at index: Int) -> StoredValue { columns.row.value(at: index) }
}

/// Columns for one decoder at a time.
///
/// Containers refer to the columns without retaining them, because the standard library copies a
/// container for each member. So that a container that outlives its decoder still refers to
/// columns, these are never released; they are used again by the next decoder.
final class RowColumnsPool: Sendable {
  private struct Unused: @unchecked Sendable {
    // Unchecked because only the pool or one decoder uses the columns.
    let columns: RowColumns
  }

  /// The pool of all decoders.
  static let shared = RowColumnsPool()

  private let unused = Mutex<[Unused]>([])

  fileprivate func take(members: [String]) -> RowColumns {
    let columns: RowColumns
    if let known = unused.withLock({ $0.popLast() }) {
      columns = known.columns
    } else {
      columns = RowColumns()
      _ = Unmanaged.passRetained(columns)
    }
    columns.begin(members: members)
    return columns
  }

  /// Takes columns back. They have only NULL until they are used again.
  fileprivate func put(_ columns: RowColumns) {
    columns.end()
    unused.withLock { $0.append(Unused(columns: columns)) }
  }
}
