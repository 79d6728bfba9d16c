import EntiaCoding
import EntiaDatabase
import EntiaJSON

/// The staged rows of one entity, and the roles of their members.
final class EntityStage {
  /// The role of a member. Relationships identify their target entity by its position.
  enum Role: Equatable {
    case id
    case plain
    case toOne(Int)
    case toMany(Int)
    /// A reference to a row of any of several entities; `manyOf` refers to a list of such rows. The
    /// type member of each row determines its entity. The associated value is the position of the
    /// relationship in `ImportStage.variants`.
    case oneOf(Int)
    case manyOf(Int)
  }

  /// The name and role of a member that has occurred.
  struct Field {
    /// The range of the name in the bytes of all names.
    let range: Range<Int>
    var role: Role
    /// The field that was read most recently directly after this field; -1 if there is none.
    var next = -1
  }

  /// The name, shared by all IDs of the entity.
  let label: EntityName
  let idName: ExactString
  /// The fields of a composite ID; empty otherwise.
  private(set) var idFields: [Int] = []
  let takesIDFromParent: Bool
  /// The policy that merges a record with an existing row; nil to use `ConflictPolicy`.
  let policy: MergePolicy<Record>?
  /// The position of the entity among all stages.
  let position: Int
  // Exclusive access is not checked for the properties that are accessed for every member of every
  // record. Their accesses never overlap, because each is short and an import runs on one thread.
  @exclusivity(unchecked) private(set) var fields = ScratchList<Field>()
  private(set) var fieldNames: [ExactString] = []
  @exclusivity(unchecked) private var nameBytes = ScratchList<UInt8>()
  private var fieldIndex: [ExactString: Int] = [:]
  /// The first field of the row that was read last.
  @exclusivity(unchecked) private var first = -1

  /// The rows and the referenced IDs, by position.
  @exclusivity(unchecked) var rows = StagingBuffer<StagedRow>()
  @exclusivity(unchecked) private var index = RowIndex()
  /// The positions of the rows whose records have been read, in reading order.
  @exclusivity(unchecked) private(set) var seenRows: [UInt32] = []
  /// The positions of the rows at the top level of an input, in input order.
  @exclusivity(unchecked) private(set) var roots: [UInt32] = []
  /// The origins of members that a later occurrence of the row added, by the position of the row.
  @exclusivity(unchecked) var memberOrigins: [Int: [ExactString: Origin]] = [:]

  /// Whether a record had its ID outside its members, such as Django's `pk`.
  var hasGivenKeys = false
  /// The references to rows of the entity by natural keys that consist of one value.
  var naturalKeys: [NaturalKeyReference] = []

  /// The members that could be the ID of records without an ID.
  @exclusivity(unchecked) var idCandidates = IDCandidates()

  /// The types of the IDs that have occurred, to detect IDs of different types with the same text.
  var hasNumbers = false
  var hasStrings = false
  /// Whether an ID has occurred that is a number but no plain integer, such as `1.0`. A different
  /// ID may be the same number, such as `1`.
  var hasOddNumbers = false

  @exclusivity(unchecked) private var lastShape = RowShape.empty
  private var shapes: [[Int]: RowShape] = [:]

  var name: String { label.string }

  init(_ schema: Schema.Entity, position: Int, policy: MergePolicy<Record>? = nil) {
    self.policy = policy
    label = EntityName(schema.name)
    idName = ExactString(schema.idName)
    takesIDFromParent = schema.takesIDFromParent
    self.position = position
    if schema.hasCompositeID {
      idFields = schema.idNames.map { addField(ExactString($0), role: .plain) }
    } else {
      addField(idName, role: .id)
    }
  }

  /// Returns whether a member with this name is the ID.
  func hasID(named name: String) -> Bool { idFields.isEmpty && idName.string.isExactly(name) }

  // MARK: Fields

  /// Sets the role of a member, before any record is read.
  func setRole(_ role: Role, of name: String) {
    let name = ExactString(name)
    if let index = fieldIndex[name] {
      fields[index].role = role
    } else {
      addField(name, role: role)
    }
  }

  @discardableResult
  private func addField(_ name: ExactString, role: Role) -> Int {
    fieldIndex[name] = fields.count
    let start = nameBytes.count
    fields.append(Field(range: start..<start + name.string.utf8.count, role: role))
    fieldNames.append(name)
    for byte in name.string.utf8 { nameBytes.append(byte) }
    return fields.count - 1
  }

  /// Returns the field of the name that was read last.
  ///
  /// Most rows of one entity have the same members in the same order. The field that followed
  /// `last` in the previous row is therefore tried first, which takes one comparison of bytes and
  /// no hashing.
  @inline(__always)
  func field(of reader: borrowing JSONReader, after last: Int) -> Int {
    let guess = last < 0 ? first : fields[last].next
    if guess >= 0, !reader.hasEscapes {
      let name = nameBytes.elements(in: fields[guess].range)
      if ByteRange.areEqual(name, reader.rawString) { return guess }
    }
    return field(ExactString(reader.string()), after: last)
  }

  private func field(_ name: ExactString, after last: Int) -> Int {
    let index = fieldIndex[name] ?? addField(name, role: .plain)
    if last < 0 { first = index } else { fields[last].next = index }
    return index
  }

  /// Returns the shape of rows with this order of members.
  func shape(_ sequence: UnsafeBufferPointer<Int>) -> RowShape {
    if lastShape.isOf(sequence) { return lastShape }
    let sequence = Array(sequence)
    if let shape = shapes[sequence] {
      lastShape = shape
      return shape
    }
    let shape = RowShape(sequence, names: sequence.map { fieldNames[$0] })
    // The number of cached shapes is limited, because rows that are actually maps all have
    // different shapes.
    if shapes.count < 256 { shapes[sequence] = shape }
    lastShape = shape
    return shape
  }

  // MARK: Rows

  /// Returns the position of a key. Inserts the key if it is new.
  @inline(__always)
  func position(isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let hash = RecordIDNode.hash(label, isNumber: isNumber, bytes)
    if let known = find(hash, isNumber, bytes) { return known }
    let key = RecordKey(isNumber: isNumber, bytes)
    let position = rows.count
    index.add(hash, position)
    rows.append(StagedRow(id: RecordID(RecordIDNode(entity: label, key: key, hash: hash))))
    return position
  }

  /// Returns the position of a key. Inserts the key if it is new.
  func position(of key: RecordKey) -> Int {
    var text = key.text
    return text.withUTF8 { position(isNumber: key.isNumber, $0) }
  }

  /// Returns the row of a key, if it has been read.
  func row(of key: RecordKey) -> StagedRow? {
    var text = key.text
    let found = text.withUTF8 { bytes in
      find(RecordIDNode.hash(label, isNumber: key.isNumber, bytes), key.isNumber, bytes)
    }
    guard let found, rows[found].record != nil else { return nil }
    return rows[found]
  }

  @inline(__always)
  private func find(
    _ hash: UInt64, _ isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    index.find(hash) { rows[$0].id.node.key.isExactly(isNumber: isNumber, bytes) }
  }

  /// Returns whether the row at a position has been read, with exactly these members in this order.
  @inline(__always)
  func hasRow(at position: Int, _ members: ImportStage.Members) -> Bool {
    rows[position].record?.body.hasMembers(members.names, members.targets, members.texts) == true
  }

  /// Sets the content of the row at a position.
  func replaceRow(at position: Int, with record: Record, from origin: Origin) {
    rows[position].record = record
    rows[position].origin = origin
    rows[position].isChanged = true
    if !memberOrigins.isEmpty { memberOrigins[position] = nil }
  }

  /// Records that the row at a position has been read for the first time.
  func markSeen(_ position: Int) { seenRows.append(UInt32(truncatingIfNeeded: position)) }

  /// Marks the row at a position as a row of the top level.
  func markRoot(_ position: Int) {
    if rows[position].isRoot { return }
    rows[position].isRoot = true
    roots.append(UInt32(truncatingIfNeeded: position))
  }

  /// Returns the keys of the rows at the top level of the inputs, except the given ones, in input
  /// order.
  func rootKeys(besides known: [RecordKey]) -> [RecordKey] {
    let keys = roots.map { rows[Int($0)].id.key }
    if known.isEmpty { return keys }
    let known = Set(known)
    return keys.filter { !known.contains($0) }
  }

  /// Releases all rows and references.
  func releaseRows() {
    rows.removeAll()
    seenRows = []
    roots = []
    index = RowIndex()
    memberOrigins = [:]
    naturalKeys = []
    idCandidates = IDCandidates()
  }

  /// Whether no record has been read.
  var isEmpty: Bool { seenRows.isEmpty }

  /// Returns the origin of a row's member.
  func origin(of name: ExactString, at position: Int) -> Origin {
    memberOrigins[position]?[name] ?? rows[position].origin
  }
}

/// The members that could be the ID of records without an ID, because every record has them, with
/// different values.
struct IDCandidates {
  /// The maximum number of compared records; the hashes of all their values are stored.
  private static let maximumRecords = 100_000
  private static let maximumMembers = 16

  /// A member of a record with a value that could be an ID.
  typealias Member = (field: Int, value: UInt64)

  private var records = 0
  private var candidates: [(field: Int, values: Set<UInt64>)] = []

  /// Adds a record without an ID.
  ///
  /// - Parameter members: The members with values that could be IDs, without duplicates.
  mutating func add(_ members: [Member]) {
    guard records < Self.maximumRecords else { return }
    records += 1
    if records == 1 {
      candidates = members.prefix(Self.maximumMembers).map { ($0.field, [$0.value]) }
      return
    }
    candidates.removeAll { candidate in !members.contains { $0.field == candidate.field } }
    for index in candidates.indices.reversed() {
      let field = candidates[index].field
      guard let value = members.first(where: { $0.field == field })?.value,
        candidates[index].values.insert(value).inserted
      else {
        candidates.remove(at: index)
        continue
      }
    }
  }

  /// Returns a question that suggests the most likely ID member. Returns nil if no member can be
  /// the ID, or if there are fewer than two records.
  ///
  /// - Parameters:
  ///   - entity: The name of the records' entity.
  ///   - fieldNames: The names of the members, by field.
  func advice(for entity: String, fieldNames: [ExactString]) -> String? {
    guard records > 1 else { return nil }
    let names = candidates.map { fieldNames[$0.field].string }
    let ranks = names.map { EntityNames.idRank(of: $0, in: entity) ?? .max }
    guard let best = names.indices.min(by: { ranks[$0] < ranks[$1] }) else { return nil }
    let all =
      records < Self.maximumRecords ? "every record has it" : "the first \(records) records have it"
    return "; set \"id\": \(names[best].quoted)? (\(all), all differ)"
  }
}

/// A staged row, or a referenced ID whose row has not been read.
package struct StagedRow {
  let id: RecordID
  /// The row; nil while it has only been referenced.
  var record: Record?
  /// The origin of the first occurrence, or of the last replacement.
  var origin = Origin.database
  /// The number `table`, with two flags in the lowest bits, so that a row takes 32 bytes.
  private var tableAndFlags = Int32(-1) &<< 2

  package init(id: RecordID) { self.id = id }

  /// The number of the table in which the row was read most recently, to detect a row that occurs
  /// twice in one table.
  package var table: Int32 {
    get { tableAndFlags &>> 2 }
    set { tableAndFlags = newValue &<< 2 | tableAndFlags & 3 }
  }

  /// Whether the row differs from the row in the database.
  package var isChanged: Bool {
    get { tableAndFlags & 1 != 0 }
    set { tableAndFlags = tableAndFlags & ~1 | (newValue ? 1 : 0) }
  }

  /// Whether the row is at the top level of an input.
  package var isRoot: Bool {
    get { tableAndFlags & 2 != 0 }
    set { tableAndFlags = tableAndFlags & ~2 | (newValue ? 2 : 0) }
  }
}

/// A completed record without an ID. It is staged when the ID of its parent is known.
struct DeferredRow {
  let entity: EntityStage
  /// The member of the parent, and the position in it if it is an array.
  let member: String
  let position: Int?
  let names: MemberNames
  let targets: RecordTargets
  let texts: [UInt8]
  let origin: Origin

  /// Returns a placeholder for the ID of a deferred row. References use it until the row has an ID.
  /// The key of the placeholder is the index of the row among the deferred rows.
  static func placeholder(_ index: Int) -> RecordID {
    RecordID(RecordIDNode(entity: label, key: .number(JSONNumber(index)), hash: 0))
  }

  /// Returns the index of the deferred row if the ID is a placeholder; otherwise nil.
  static func index(_ id: RecordID) -> Int? {
    guard id.node.entity === label, case .number(let number) = id.key else { return nil }
    return number.integer
  }

  private static let label = EntityName("")
}

/// A reference by a natural key that consists of one value. The reference is valid only if the ID
/// of the referenced row is made from the row's fields. The validity is checked after all records
/// are read.
struct NaturalKeyReference {
  let origin: Origin
  /// The position of the entity of the row with the reference.
  let entity: Int
  let field: Int
  /// The position of the referenced row in its entity.
  let row: Int
}
