import EntiaCoding
import EntiaDatabase
import EntiaJSON

/// Writes rows as JSON with the referenced rows nested in them, without recursion.
///
/// The output may be larger than memory. It is therefore passed on in pieces. Writing stops when
/// the output exceeds `maximumBytes`. For a storage with Swift types,
/// `NormalizedStorageType.denormalized` builds the nesting of one entity as a value instead.
struct NestedRowWriter {
  /// A row whose output has begun.
  private struct Frame {
    let id: RecordID
    // Read once, because the row computes these arrays on each access.
    private(set) var names: [ExactString]
    private(set) var values: [RecordValue]
    /// The index of the inverse of each member that `add(_:named:_:)` has added. The added members
    /// follow the row's own members.
    private var inverses: [Int] = []
    /// The index of the next member.
    var position = 0
    /// The index of the next element of the current list, if any.
    var element: Int?
    /// Whether the row is written without its ID, because an import derives the same ID from the
    /// parent's ID and the row's position.
    let hasDerivedID: Bool
    let variants: [ExactString: Schema.Relationship]?
    let steps: Steps

    init(
      _ row: Record, hasDerivedID: Bool, variants: [ExactString: Schema.Relationship]?,
      steps: Steps
    ) {
      self.steps = steps
      id = row.id
      names = row.names
      values = row.values
      self.hasDerivedID = hasDerivedID
      self.variants = variants
    }

    /// Adds the rows that refer to this row as the member `name`. Removes an existing member with
    /// that name.
    mutating func add(_ inverse: Int, named name: String, _ holders: [RecordID]) {
      if let own = names.firstIndex(of: ExactString(name)) {
        names.remove(at: own)
        values.remove(at: own)
        let firstInverse = values.count + 1 - inverses.count
        if own >= firstInverse { inverses.remove(at: own - firstInverse) }
      }
      names.append(ExactString(name))
      values.append(.references(holders))
      inverses.append(inverse)
    }

    /// Returns the inverse of the member at a position, or nil if the member is the row's own.
    func inverse(at position: Int) -> Int? {
      let index = position - (values.count - inverses.count)
      return index < 0 ? nil : inverses[index]
    }
  }

  /// The numbers of steps from a row at the top level to a nested row.
  private struct Steps {
    var references = 0
    /// The number of steps through each inverse.
    var inverses: [Int]
  }

  let database: RecordDatabase
  let depth: Int
  let inverses: [RecordInverse]
  private var holders: HolderLists
  let maximumBytes: Int
  private let forms: ReferenceForms
  private var writer = JSONWriter(layout: .lines(depth: 1))
  private var frames: [Frame] = []
  private var branch: Set<RecordID> = []
  private var fanOut = DenormalizeProblem.FanOut(rows: 0)

  /// The minimum size in bytes of each piece except the last.
  private static let pieceSize = 1 << 18

  init(database: RecordDatabase, depth: Int, inverses: [RecordInverse], maximumBytes: Int) {
    self.database = database
    self.depth = depth
    self.inverses = inverses
    holders = HolderLists(database, inverses)
    self.maximumBytes = maximumBytes
    forms = ReferenceForms(database.schema.entities)
  }

  /// Writes rows.
  ///
  /// - Returns: Nil if the whole output was written. If the output is too long, the counts of the
  ///   rows that were written before the limit.
  mutating func write<Failure: Error>(
    _ rows: [Record], to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> DenormalizeProblem.FanOut? {
    var left = maximumBytes
    fanOut = DenormalizeProblem.FanOut(rows: rows.count)
    writer.beginArray()
    for row in rows {
      begin(row, Steps(inverses: inverses.map { _ in 0 }))
      while let top = frames.indices.last {
        step(top)
        if writer.bytes.count > left { return fanOutHere() }
        if writer.bytes.count >= Self.pieceSize {
          left -= writer.bytes.count
          try writer.flush(to: pieces)
        }
      }
      fanOut.written += 1
    }
    writer.endArray()
    writer.endLine()
    if writer.bytes.count > left { return fanOutHere() }
    try writer.flush(to: pieces)
    return nil
  }

  /// Returns the counts of the rows so far. The search for the member with the most references
  /// includes the rows whose output has begun and not ended.
  private func fanOutHere() -> DenormalizeProblem.FanOut {
    var fanOut = fanOut
    for frame in frames {
      for (name, value) in zip(frame.names, frame.values) {
        guard case .references(let ids) = value, ids.count > fanOut.widest else { continue }
        fanOut.widest = ids.count
        fanOut.widestMember = "\(name.string.quoted) of \(frame.id)"
      }
    }
    return fanOut
  }

  /// Begins the output of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - steps: The steps to the row.
  ///   - type: A type member to add; nil if the row needs none at its position, or has it already.
  ///   - hasDerivedID: Whether the row's ID is derived from its position.
  private mutating func begin(
    _ row: Record, _ steps: Steps, type: (name: String, value: String)? = nil,
    hasDerivedID: Bool = false
  ) {
    var frame = Frame(
      row, hasDerivedID: hasDerivedID, variants: forms.variants(of: row.id.entity), steps: steps)
    for (index, inverse) in inverses.enumerated() where steps.inverses[index] < inverse.depth {
      if let holders = holders.holders(of: row.id, through: index) {
        frame.add(index, named: inverse.name, holders)
      }
    }
    frames.append(frame)
    branch.insert(row.id)
    if frames.count > 1 { fanOut.countNested(at: frames.count - 1) }
    writer.beginObject()
    if let type {
      writer.name(type.name)
      writer.string(type.value)
    }
    guard !hasDerivedID, let idName = forms.idName(of: row.id.entity) else { return }
    writer.name(idName)
    writer.key(row.id.key)
  }

  /// Writes one member or element, or the end of a list or a row.
  private mutating func step(_ top: Int) {
    let position = frames[top].position
    guard position < frames[top].values.count else {
      writer.endObject()
      branch.remove(frames.removeLast().id)
      return
    }
    switch frames[top].values[position] {
    case .plain(let text):
      frames[top].position += 1
      writer.name(frames[top].names[position].string)
      writer.text(text)
    case .reference(let id):
      frames[top].position += 1
      writer.name(frames[top].names[position].string)
      follow(id, frames[top].names[position], nil)
    case .references(let ids):
      guard let element = frames[top].element else {
        writer.name(frames[top].names[position].string)
        writer.beginArray()
        frames[top].element = 0
        return
      }
      guard element < ids.count else {
        writer.endArray()
        frames[top].element = nil
        frames[top].position += 1
        return
      }
      frames[top].element = element + 1
      if let inverse = frames[top].inverse(at: position) {
        return follow(ids[element], inverse: inverse, frames[top].steps)
      }
      follow(ids[element], frames[top].names[position], element)
    }
  }

  /// Writes a row that refers to the current one.
  private mutating func follow(_ id: RecordID, inverse: Int, _ steps: Steps) {
    guard !branch.contains(id), let row = database.record(id) else {
      return forms.write(id, by: nil, to: &writer)
    }
    var steps = steps
    steps.inverses[inverse] += 1
    begin(row, steps)
  }

  private mutating func follow(_ id: RecordID, _ member: ExactString, _ position: Int?) {
    let parent = frames[frames.count - 1]
    var steps = parent.steps
    steps.references += 1
    let relationship = parent.variants?[member]
    let row = database.record(id)
    let ownType = relationship?.typeName.flatMap { row?[$0] }
    let type = relationship.flatMap { self.type(row, ownType, $0) }
    guard steps.references <= depth, !branch.contains(id), let row, ownType == nil || type != nil
    else {
      return forms.write(id, by: relationship, type: type, to: &writer)
    }
    let hasDerivedID = isSynthesized(id, in: parent, member, position)
    guard ownType == nil, let relationship, let typeName = relationship.typeName,
      let needed = relationship.type(of: id.entity)
    else { return begin(row, steps, hasDerivedID: hasDerivedID) }
    begin(row, steps, type: (typeName, needed), hasDerivedID: hasDerivedID)
  }

  /// Returns the row's own type, if the relationship maps that type to the row's entity.
  private func type(
    _ row: Record?, _ ownType: RecordValue?, _ relationship: Schema.Relationship
  ) -> String? {
    guard case .plain(let text) = ownType, let type = text.string, let row else { return nil }
    let variant = relationship.variants.first { $0.type.isExactly(type) }
    return variant?.entity.isExactly(row.id.entity) == true ? type : nil
  }

  /// Returns whether the row can be written without its ID. This is the case if an import would
  /// derive the same ID from the parent and the position.
  private func isSynthesized(
    _ id: RecordID, in parent: Frame, _ member: ExactString, _ position: Int?
  ) -> Bool {
    guard database.schema.entity(id.entity)?.takesIDFromParent == true,
      case .string(let text) = id.key
    else { return false }
    var key = SynthesizedKey(parent: parent.id, isSynthesized: parent.hasDerivedID)
    key.append(step: member.string)
    if let position { key.append(step: String(position)) }
    return key.text.isExactly(text) && text.utf8.count <= SynthesizedKey.maximumLength
  }
}

/// The rows that refer to a row through each inverse, for one denormalized output.
struct HolderLists {
  private struct Place: Hashable {
    let row: RecordID
    let inverse: Int
  }

  /// The maximum number of references in a list that is not cached. Longer lists are cached,
  /// because they are few.
  private static let keptCount = 16

  private let database: RecordDatabase
  private let inverses: [(inverse: RecordInverse, relationship: Schema.Relationship?)]
  private var known: [Place: [RecordID]] = [:]
  /// The number of references that have been examined.
  private(set) var examinedCount = 0

  init(_ database: RecordDatabase, _ inverses: [RecordInverse]) {
    self.database = database
    self.inverses = inverses.map { ($0, database.relationship(of: $0)) }
  }

  /// Returns the rows that refer to a row through an inverse, in the order in which the references
  /// were added. Returns nil if the inverse's member never refers to rows of this entity.
  ///
  /// - Complexity: O(references to the row) the first time, then O(1).
  mutating func holders(of id: RecordID, through index: Int) -> [RecordID]? {
    let (inverse, relationship) = inverses[index]
    guard relationship?.names(id.entity) == true else { return nil }
    let place = Place(row: id, inverse: index)
    if let holders = known[place] { return holders }
    let all = database.holders(of: id)
    examinedCount += all.count
    let holders = all.filter { holder in
      holder.entity.isExactly(inverse.entity)
        && database.record(holder)?[inverse.member]?.targets.contains(id) == true
    }
    if all.count > Self.keptCount { known[place] = holders }
    return holders
  }
}
