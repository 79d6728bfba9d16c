extension RecordDatabase {
  /// The default limit for the size of denormalized rows in bytes: 1 GiB.
  public static let maximumDenormalizedBytes = 1 << 30

  /// Returns rows as a JSON array of objects that contain the referenced rows.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - ids: The texts of their IDs, in the requested order; nil for all rows: those of the result
  ///     in its order, then the others sorted by ID.
  ///   - depth: The levels of relationships to follow; 0 returns the rows as they are stored.
  ///   - inverses: The relationships to follow from a row to those that refer to it, each with its own
  ///     depth, which does not count for `depth`.
  ///   - maximumBytes: The maximum size of the output in bytes.
  /// - Returns: The array, one line for each row. The ID stands for a row that is beyond the depth,
  ///   that does not exist, or that encloses itself.
  /// - Complexity: O(size of the output), regardless of the depth. The output itself can grow
  ///   exponentially with the depth if rows share references.
  public func denormalized(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    following inverses: [RecordInverse] = [],
    maximumBytes: Int = RecordDatabase.maximumDenormalizedBytes
  ) -> Result<[UInt8], DenormalizeProblem> {
    var bytes: [UInt8] = []
    return denormalize(
      entity: name, ids: ids, depth: depth, following: inverses, maximumBytes: maximumBytes
    ) {
      bytes.append(contentsOf: $0)
    }.map { bytes }
  }

  /// Writes the array in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - ids: The texts of their IDs, in the requested order; nil for all rows.
  ///   - depth: The levels of relationships to follow.
  ///   - inverses: The relationships to follow from a row to those that refer to it.
  ///   - maximumBytes: The maximum size of the output in bytes.
  ///   - pieces: A closure that is called with each piece, in order. If the output is too long, it
  ///     has been called with the output up to the limit.
  /// - Returns: Success if the whole output has been written.
  /// - Throws: The error of the closure.
  /// - Complexity: O(size of the output), regardless of the depth.
  public func denormalize<Failure: Error>(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    following inverses: [RecordInverse] = [],
    maximumBytes: Int = RecordDatabase.maximumDenormalizedBytes,
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Result<Void, DenormalizeProblem> {
    guard let entity = schema.entity(name) else {
      let suggestion = Suggestion.nearest(to: name, among: schema.entities.map(\.name))
      return .failure(.unknownEntity(name, suggestion: suggestion))
    }
    for inverse in inverses {
      if let problem = problem(with: inverse) { return .failure(problem) }
    }
    if let problem = repeatedName(in: inverses) { return .failure(problem) }
    var rows: [Record] = []
    if let ids {
      var unknown: [String] = []
      for id in ids {
        if let row = record(entity, text: id) { rows.append(row) } else { unknown.append(id) }
      }
      if !unknown.isEmpty { return .failure(.unknownIDs(unknown, entity: name)) }
    } else {
      rows = resultFirst(name)
    }
    var denormalizer = Denormalizer(
      database: self, depth: depth, inverses: inverses, maximumBytes: maximumBytes)
    let fanOut = try denormalizer.write(rows, to: pieces)
    return fanOut.map { .failure(.tooLarge(maximumBytes: maximumBytes, fanOut: $0)) }
      ?? .success(())
  }

  /// Returns the rows of an entity: those of the result in its order, then the others sorted by ID.
  func resultFirst(_ entity: String) -> [Record] {
    let keys = resultKeys[ExactString(entity)] ?? []
    let named = Set(keys)
    let others = records.filter { $0.id.entity.isExactly(entity) && !named.contains($0.id.key) }
    return keys.compactMap { record(RecordID(entity: entity, key: $0)) } + Self.sorted(others)
  }
}

/// Writes rows with the referenced rows nested in them, without recursion.
private struct Denormalizer {
  /// A row whose output has begun.
  private struct Frame {
    let id: RecordID
    // Read once: the row computes these arrays on each access.
    private(set) var names: [ExactString]
    private(set) var values: [RecordValue]
    /// The inverses at the end of the members, by their indices.
    private var inverses: [Int] = []
    /// The index of the next member.
    var position = 0
    /// The index of the next element of the current list, if any.
    var element: Int?
    /// Whether the row has no ID of its own here: its ID is derived from its parent's and its
    /// position.
    let isNameless: Bool
    let variants: [ExactString: Schema.Relationship]?
    let steps: Steps

    init(
      _ row: Record, isNameless: Bool, variants: [ExactString: Schema.Relationship]?,
      steps: Steps
    ) {
      self.steps = steps
      id = row.id
      names = row.names
      values = row.values
      self.isNameless = isNameless
      self.variants = variants
    }

    /// Adds the rows that refer to the row, in place of its own member of that name.
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

    /// The inverse that a member is, if any.
    func inverse(at position: Int) -> Int? {
      let index = position - (values.count - inverses.count)
      return index < 0 ? nil : inverses[index]
    }
  }

  /// The steps that a branch has taken.
  private struct Steps {
    var references = 0
    /// The steps through each inverse.
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

  /// The minimum size of a piece in bytes, except the last one.
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
  /// - Returns: Nil, or the nesting of the rows if the output is too long.
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
          try pieces(writer.takeBytes())
        }
      }
      fanOut.written += 1
    }
    writer.endArray()
    writer.endLine()
    if writer.bytes.count > left { return fanOutHere() }
    try pieces(writer.takeBytes())
    return nil
  }

  /// Returns the nesting of the rows, with the member of the current branch that has the most
  /// references.
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
  ///   - type: The member and the type that the row needs at its position, if it does not have them
  ///     itself.
  ///   - isNameless: Whether the row's ID is derived from its position.
  private mutating func begin(
    _ row: Record, _ steps: Steps, type: (name: String, value: String)? = nil,
    isNameless: Bool = false
  ) {
    var frame = Frame(
      row, isNameless: isNameless, variants: forms.variants(of: row.id.entity), steps: steps)
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
    guard !isNameless, let idName = forms.idName(of: row.id.entity) else { return }
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
    let said = relationship?.typeName.flatMap { row?[$0] }
    let type = relationship.flatMap { self.type(row, said, $0) }
    guard steps.references <= depth, !branch.contains(id), let row, said == nil || type != nil
    else {
      return forms.write(id, by: relationship, type: type, to: &writer)
    }
    let isNameless = isMade(id, in: parent, member, position)
    guard said == nil, let relationship, let typeName = relationship.typeName,
      let needed = relationship.type(of: id.entity)
    else { return begin(row, steps, isNameless: isNameless) }
    begin(row, steps, type: (typeName, needed), isNameless: isNameless)
  }

  /// Returns the row's own type, if the relationship maps that type to the row's entity.
  private func type(
    _ row: Record?, _ said: RecordValue?, _ relationship: Schema.Relationship
  ) -> String? {
    guard case .plain(let text) = said, let type = text.string, let row else { return nil }
    let variant = relationship.variants.first { $0.type.isExactly(type) }
    return variant?.entity.isExactly(row.id.entity) == true ? type : nil
  }

  /// Returns whether a row without an ID would receive its current ID at this position.
  private func isMade(
    _ id: RecordID, in parent: Frame, _ member: ExactString, _ position: Int?
  ) -> Bool {
    guard database.schema.entity(id.entity)?.takesIDFromParent == true,
      case .string(let text) = id.key
    else { return false }
    var key = SynthesizedKey(parent: parent.id, isMade: parent.isNameless)
    key.append(step: member.string)
    if let position { key.append(step: String(position)) }
    return key.text.isExactly(text) && text.utf8.count <= SynthesizedKey.maximumLength
  }
}
