import EntiaDatabase

/// The rows of one entity that an import has met, and how their members read.
final class EntityStage {
  /// What a member of a row means; relationships name their target by its position.
  enum Role: Equatable {
    case id
    case plain
    case toOne(Int)
    case toMany(Int)
    /// One row, or rows, of an entity that its type tells; by the position of the relationship's
    /// variants.
    case oneOf(Int)
    case manyOf(Int)
  }

  /// A member's name, met at least once.
  struct Field {
    /// Where the bytes of the name are among all names'.
    let start: Int
    let count: Int
    var role: Role
    /// The field that followed this one last time; -1 if none has.
    var next = -1
  }

  /// The name, which all IDs of the entity share.
  let label: EntityName
  let idName: ExactString
  /// The fields that make the ID, if several do; none otherwise.
  private(set) var idFields: [Int] = []
  let takesIDFromParent: Bool
  /// How a record is merged with the row that has its ID; nil if ``ConflictPolicy`` decides.
  let policy: MergePolicy<Record>?
  /// The position among the stages.
  let position: Int
  // The properties that every member of every record is read with go without checks of exclusive
  // access: none is ever handed out for long, and one import runs on one thread.
  @exclusivity(unchecked) private(set) var fields: [Field] = []
  private(set) var fieldNames: [ExactString] = []
  @exclusivity(unchecked) private var nameBytes: [UInt8] = []
  private var fieldIndex: [ExactString: Int] = [:]
  /// The field that rows began with last time.
  @exclusivity(unchecked) private var first = -1

  /// What was met or named, by position.
  @exclusivity(unchecked) var rows: [StagedRow] = []
  @exclusivity(unchecked) private var index = RowIndex()
  /// The positions of the rows that were met, in that order.
  @exclusivity(unchecked) private(set) var met: [UInt32] = []
  /// The positions of the rows that the top level of an input holds, in the order of the inputs.
  private(set) var roots: [UInt32] = []
  /// Where members came from that a later occurrence brought, by the position of the row.
  var memberOrigins: [Int: [ExactString: Origin]] = [:]

  /// The members that could be the ID where records have none.
  @exclusivity(unchecked) var idCandidates = IDCandidates()

  /// Which types of ID were met, for what is written alike in both.
  var hasNumbers = false
  var hasStrings = false
  /// Says whether an ID was met that another spelling may equal in value.
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

  /// Whether a member of this name is the ID.
  func hasID(named name: String) -> Bool { idFields.isEmpty && idName.string.isExactly(name) }

  // MARK: Fields

  /// Says what a member of this name means, before any row is read.
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
    fields.append(Field(start: nameBytes.count, count: name.string.utf8.count, role: role))
    fieldNames.append(name)
    nameBytes.append(contentsOf: name.string.utf8)
    return fields.count - 1
  }

  /// Finds the field of the name that was read last.
  ///
  /// Rows of one entity mostly have the same members in the same order, so the field that followed
  /// the last one before is tried first; it costs one comparison of bytes, and no hashing.
  @inline(__always)
  func field(of reader: borrowing JSONReader, after last: Int) -> Int {
    let guess = last < 0 ? first : fields[last].next
    if guess >= 0, !reader.hasEscapes {
      let (start, count) = (fields[guess].start, fields[guess].count)
      let isEqual = nameBytes.withUnsafeBufferPointer {
        ByteRange.areEqual(
          UnsafeBufferPointer(rebasing: $0[start..<start + count]), reader.rawString)
      }
      if isEqual { return guess }
    }
    return field(ExactString(reader.string()), after: last)
  }

  private func field(_ name: ExactString, after last: Int) -> Int {
    let index = fieldIndex[name] ?? addField(name, role: .plain)
    if last < 0 { first = index } else { fields[last].next = index }
    return index
  }

  /// Gives the shape of rows whose members come in this order.
  func shape(_ sequence: some RandomAccessCollection<Int>) -> RowShape {
    if lastShape.sequence.elementsEqual(sequence) { return lastShape }
    let sequence = Array(sequence)
    if let shape = shapes[sequence] {
      lastShape = shape
      return shape
    }
    let shape = RowShape(sequence, names: sequence.map { fieldNames[$0] })
    // Rows that are maps in truth have a shape each; they are not worth remembering.
    if shapes.count < 256 { shapes[sequence] = shape }
    lastShape = shape
    return shape
  }

  // MARK: Rows

  /// Finds the position of a key, which is given one where it has none.
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

  /// Finds the position of a key, which is given one where it has none.
  func position(of key: RecordKey) -> Int {
    var text = key.text
    return text.withUTF8 { position(isNumber: key.isNumber, $0) }
  }

  /// Finds the row of a key, if it was met.
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

  /// Notes that the row at a position was met for the first time.
  func meet(_ position: Int) { met.append(UInt32(truncatingIfNeeded: position)) }

  /// Notes that the top level of an input holds the row at a position.
  func markRoot(_ position: Int) {
    if rows[position].isRoot { return }
    rows[position].isRoot = true
    roots.append(UInt32(truncatingIfNeeded: position))
  }

  /// The keys of the rows that the top level of an input holds, without some, in the order of the
  /// inputs.
  func rootKeys(besides known: [RecordKey]) -> [RecordKey] {
    let keys = roots.map { rows[Int($0)].id.key }
    if known.isEmpty { return keys }
    let known = Set(known)
    return keys.filter { !known.contains($0) }
  }

  /// Lets go of everything that was met or named.
  func forget() {
    rows = []
    met = []
    roots = []
    index = RowIndex()
    memberOrigins = [:]
    idCandidates = IDCandidates()
  }

  /// Says whether no row was met.
  var isEmpty: Bool { met.isEmpty }

  /// Where the member of a row came from.
  func origin(of name: ExactString, at position: Int) -> Origin {
    memberOrigins[position]?[name] ?? rows[position].origin
  }
}
