extension RecordDatabase {
  /// The bytes that denormalized rows have at most, unless another limit is given: 1 GiB.
  public static let maximumDenormalizedBytes = 1 << 30

  /// Gives rows as a JSON array of objects with the rows they name nested in them.
  ///
  /// - Parameters:
  ///   - entity: the entity of the rows.
  ///   - ids: the texts of their IDs, in the order wanted; nil for all rows: those of the
  ///     result in its order, then the others in the order of IDs.
  ///   - depth: the levels of relationships that are followed: 0 gives the rows as they are stored.
  ///   - maximumBytes: the length of the output at most.
  /// - Returns: the array, a line a row. A row that is an outer one of its own branch already is
  ///   given by its ID, and so is one beyond the depth, or one that does not exist.
  /// - Complexity: O(size of the output), whatever the depth; the output itself can grow
  ///   exponentially with the depth where rows share what they name.
  public func denormalized(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    maximumBytes: Int = RecordDatabase.maximumDenormalizedBytes
  ) -> Result<[UInt8], DenormalizeProblem> {
    var bytes: [UInt8] = []
    return denormalize(entity: name, ids: ids, depth: depth, maximumBytes: maximumBytes) {
      bytes.append(contentsOf: $0)
    }.map { bytes }
  }

  /// Gives the same in pieces, as they are written, so that they are never in memory as a whole.
  ///
  /// - Parameters:
  ///   - entity: the entity of the rows.
  ///   - ids: the texts of their IDs, in the order wanted; nil for all rows.
  ///   - depth: the levels of relationships that are followed.
  ///   - maximumBytes: the length of the output at most.
  ///   - pieces: is given each piece, in order. Where the output is too long, it has been given what
  ///     was written up to there.
  /// - Returns: success once everything has been given.
  /// - Throws: what the closure throws.
  /// - Complexity: O(size of the output), whatever the depth.
  public func denormalize<Failure: Error>(
    entity name: String, ids: [String]? = nil, depth: Int = 1,
    maximumBytes: Int = RecordDatabase.maximumDenormalizedBytes,
    to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Result<Void, DenormalizeProblem> {
    guard let entity = schema.entity(name) else {
      let suggestion = Suggestion.nearest(to: name, among: schema.entities.map(\.name))
      return .failure(.unknownEntity(name, suggestion: suggestion))
    }
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
    var denormalizer = Denormalizer(database: self, depth: depth, maximumBytes: maximumBytes)
    let fanOut = try denormalizer.write(rows, to: pieces)
    return fanOut.map { .failure(.tooLarge(maximumBytes: maximumBytes, fanOut: $0)) }
      ?? .success(())
  }

  /// The rows of an entity: those of the result in its order, then the others in the order of IDs.
  func resultFirst(_ entity: String) -> [Record] {
    let keys = resultKeys[ExactString(entity)] ?? []
    let named = Set(keys)
    let others = records.filter { $0.id.entity.isExactly(entity) && !named.contains($0.id.key) }
    return keys.compactMap { record(RecordID(entity: entity, key: $0)) } + Self.sorted(others)
  }
}

/// Writes rows with the rows they name, without recursion.
private struct Denormalizer {
  /// A row that is being written.
  private struct Frame {
    let id: RecordID
    // Taken out of the row once: it makes them anew whenever it is asked.
    let names: [ExactString]
    let values: [RecordValue]
    /// The next member.
    var position = 0
    /// The next element of the list that is being written, if one is.
    var element: Int?
    /// Says whether the row has no ID of its own here: its parent's, and where it stands, make it.
    let isNameless: Bool
    let variants: [ExactString: Schema.Relationship]?

    init(
      _ row: Record, isNameless: Bool, variants: [ExactString: Schema.Relationship]?
    ) {
      id = row.id
      names = row.names
      values = row.values
      self.isNameless = isNameless
      self.variants = variants
    }
  }

  let database: RecordDatabase
  let depth: Int
  let maximumBytes: Int
  private let forms: ReferenceForms
  private var writer = JSONWriter(layout: .lines(depth: 1))
  private var frames: [Frame] = []
  private var branch: Set<RecordID> = []
  private var fanOut = DenormalizeProblem.FanOut(rows: 0)

  /// The bytes that a piece of the output has at least, the last one excepted.
  private static let pieceSize = 1 << 18

  init(database: RecordDatabase, depth: Int, maximumBytes: Int) {
    self.database = database
    self.depth = depth
    self.maximumBytes = maximumBytes
    forms = ReferenceForms(database.schema.entities)
  }

  /// Writes rows.
  ///
  /// - Returns: nil, or how the rows nest if the output is too long.
  mutating func write<Failure: Error>(
    _ rows: [Record], to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> DenormalizeProblem.FanOut? {
    var left = maximumBytes
    fanOut = DenormalizeProblem.FanOut(rows: rows.count)
    writer.beginArray()
    for row in rows {
      begin(row)
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

  /// How the rows nest, with the member of the branch being written that names most rows.
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

  /// - Parameters:
  ///   - type: the member and the type that the row needs where it stands, if it does not say them.
  ///   - isNameless: whether the row's ID follows from where it stands.
  private mutating func begin(
    _ row: Record, type: (name: String, value: String)? = nil, isNameless: Bool = false
  ) {
    frames.append(
      Frame(row, isNameless: isNameless, variants: forms.variants(of: row.id.entity)))
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
      follow(ids[element], frames[top].names[position], element)
    }
  }

  private mutating func follow(_ id: RecordID, _ member: ExactString, _ position: Int?) {
    let parent = frames[frames.count - 1]
    let relationship = parent.variants?[member]
    let row = database.record(id)
    let said = relationship?.typeName.flatMap { row?[$0] }
    let type = relationship.flatMap { self.type(row, said, $0) }
    guard frames.count <= depth, !branch.contains(id), let row, said == nil || type != nil else {
      return forms.write(id, by: relationship, type: type, to: &writer)
    }
    let isNameless = isMade(id, in: parent, member, position)
    guard said == nil, let relationship, let typeName = relationship.typeName,
      let needed = relationship.type(of: id.entity)
    else { return begin(row, isNameless: isNameless) }
    begin(row, type: (typeName, needed), isNameless: isNameless)
  }

  /// The type that a row says of itself, if a relationship takes it for that.
  private func type(
    _ row: Record?, _ said: RecordValue?, _ relationship: Schema.Relationship
  ) -> String? {
    guard case .plain(let text) = said, let type = text.string, let row else { return nil }
    let variant = relationship.variants.first { $0.type.isExactly(type) }
    return variant?.entity.isExactly(row.id.entity) == true ? type : nil
  }

  /// Says whether a row that lacked an ID would get the one it has where it stands.
  private func isMade(
    _ id: RecordID, in parent: Frame, _ member: ExactString, _ position: Int?
  ) -> Bool {
    guard database.schema.entity(id.entity)?.takesIDFromParent == true,
      case .string(let text) = id.key
    else { return false }
    var key = MadeKey(parent: parent.id, isMade: parent.isNameless)
    key.append(step: member.string)
    if let position { key.append(step: String(position)) }
    return key.text.isExactly(text) && text.utf8.count <= MadeKey.maximumLength
  }
}
