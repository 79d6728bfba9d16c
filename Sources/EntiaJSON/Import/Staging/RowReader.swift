/// Reads records and stages them, those nested in them first, without recursion.
struct RowReader {
  /// A record or a list of records whose end has not been read.
  private struct Frame {
    /// The entity of the record, or of the list's elements.
    let entity: EntityStage
    let isList: Bool
    let origin: Origin
    /// Where its members, or the IDs of its elements, begin on their stack.
    let start: Int
    var key: RecordKey?
    /// What stands where the ID should; nil if nothing does.
    var idToken: JSONToken?
    let isKeyGiven: Bool
    /// The member that is being read, or was read last; -1 before the first.
    var field = -1
    var fieldOffset = 0
  }

  let stage: ImportStage
  private var canonicalizer = JSONCanonicalizer()
  private var frames: [Frame] = []
  // The members of all open records, the innermost record's last.
  private var fields: [Int] = []
  private var offsets: [Int] = []
  private var values: [RecordValue] = []
  /// The IDs of all open lists, the innermost list's last.
  private var ids: [RecordID] = []

  init(stage: ImportStage) { self.stage = stage }

  /// Reads the record whose `{` was read last, and stages it.
  ///
  /// - Parameter key: the ID, where it stands outside the record.
  /// - Returns: the ID of the record; nil if it was rejected, which is among the problems then.
  /// - Throws: what is wrong with the text. What was read before that stays staged.
  mutating func read(
    _ entity: EntityStage, key: RecordKey? = nil, origin: Origin? = nil,
    from reader: inout JSONReader
  ) throws(JSONError) -> RecordKey? {
    frames.removeAll(keepingCapacity: true)
    clear(from: 0)
    ids.removeAll(keepingCapacity: true)
    begin(entity, at: origin ?? stage.origin(reader.tokenStart), key: key, isKeyGiven: key != nil)
    while let top = frames.indices.last {
      let token = try reader.next()
      if frames[top].isList {
        try readElement(token, frames[top], &reader)
      } else if token == .name {
        try readMember(top, &reader)
      } else {
        let frame = frames.removeLast()
        let key = finish(frame)
        guard let parent = frames.last else { return key }
        deliver(key.map { RecordID(entity: frame.entity.name, key: $0) }, to: parent)
      }
    }
    return nil
  }

  private mutating func begin(
    _ entity: EntityStage, at origin: Origin, key: RecordKey? = nil, isKeyGiven: Bool = false
  ) {
    stage.counts.read += 1
    frames.append(
      Frame(
        entity: entity, isList: false, origin: origin, start: fields.count, key: key,
        isKeyGiven: isKeyGiven))
  }

  // MARK: Members

  private mutating func readMember(_ top: Int, _ reader: inout JSONReader) throws(JSONError) {
    let entity = frames[top].entity
    let field = entity.field(of: reader, after: frames[top].field)
    frames[top].field = field
    frames[top].fieldOffset = reader.tokenStart
    switch entity.fields[field].role {
    case .plain:
      let token = try reader.next()
      append(.plain(try readPlain(token, &reader)), to: frames[top])
    case .id: try readID(top, &reader)
    case .toOne(let target):
      try readReference(frames[top], to: stage.entities[target], &reader)
    case .toMany(let target):
      try readList(frames[top], of: stage.entities[target], &reader)
    }
  }

  private mutating func readPlain(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> JSONText {
    let text = try canonicalizer.read(token, from: &reader)
    if !canonicalizer.duplicates.isEmpty {
      for offset in canonicalizer.duplicates { addDuplicate(at: stage.origin(offset)) }
      canonicalizer.forgetDuplicates()
    }
    return text
  }

  private mutating func readID(_ top: Int, _ reader: inout JSONReader) throws(JSONError) {
    let name = stage.origin(reader.tokenStart)
    let token = try reader.next()
    defer { frames[top].idToken = token }
    if frames[top].isKeyGiven {
      let id = frames[top].entity.idName.string.quoted
      stage.problems.add(
        .typeMismatch, at: name, "\(id) is the member that the ID beside the members becomes")
    } else if frames[top].idToken != nil {
      addDuplicate(at: name)
    } else if let key = key(token, reader) {
      frames[top].key = key
    }
    try reader.skipValue(token)
  }

  private mutating func readReference(
    _ frame: Frame, to target: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    switch token {
    case .null: append(.null, to: frame)
    case .beginObject: begin(target, at: stage.origin(reader.tokenStart))
    default:
      if let key = key(token, reader) {
        append(.reference(RecordID(entity: target.name, key: key)), to: frame)
        return
      }
      addMismatch(
        reader,
        "\(describe(frame)) names one row of \(target.name): an ID, an object or null; "
          + "found \(token.noun)")
      try reader.skipValue(token)
    }
  }

  private mutating func readList(
    _ frame: Frame, of target: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    switch token {
    case .null: append(.null, to: frame)
    case .beginArray:
      frames.append(
        Frame(
          entity: target, isList: true, origin: stage.origin(reader.tokenStart), start: ids.count,
          isKeyGiven: false))
    default:
      addMismatch(
        reader,
        "\(describe(frame)) names rows of \(target.name): an array or null; "
          + "found \(token.noun)")
      try reader.skipValue(token)
    }
  }

  private mutating func readElement(
    _ token: JSONToken, _ frame: Frame, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch token {
    case .endArray:
      frames.removeLast()
      let list = Array(ids[frame.start...])
      ids.removeSubrange(frame.start...)
      if let parent = frames.last { append(.references(list), to: parent) }
    case .beginObject:
      begin(frame.entity, at: stage.origin(reader.tokenStart))
    default:
      if let key = key(token, reader) {
        ids.append(RecordID(entity: frame.entity.name, key: key))
        return
      }
      let holder = frames[frames.count - 2]
      addMismatch(
        reader,
        "\(describe(holder)) names rows of \(frame.entity.name): IDs or objects; "
          + "found \(token.noun)")
      try reader.skipValue(token)
    }
  }

  private func key(_ token: JSONToken, _ reader: JSONReader) -> RecordKey? {
    switch token {
    case .number: .number(reader.number())
    case .string: .string(reader.string())
    default: nil
    }
  }

  private mutating func append(_ value: RecordValue, to frame: Frame) {
    fields.append(frame.field)
    offsets.append(frame.fieldOffset)
    values.append(value)
  }

  /// Gives a nested record's ID to what it is nested in.
  private mutating func deliver(_ id: RecordID?, to parent: Frame) {
    if !parent.isList {
      append(id.map(RecordValue.reference) ?? .null, to: parent)
    } else if let id {
      ids.append(id)
    }
  }

  // MARK: Ends

  /// Stages the record that has ended; its members leave the stack.
  private mutating func finish(_ frame: Frame) -> RecordKey? {
    let shape = frame.entity.shape(fields[frame.start...])
    for position in shape.duplicates {
      addDuplicate(at: stage.origin(offsets[frame.start + position]))
    }
    defer { clear(from: frame.start) }
    guard let key = frame.key else {
      addMissingID(frame)
      return nil
    }
    let values = shape.order.map { self.values[frame.start + $0] }
    stage.take(frame.entity, key, shape.names, values, from: frame.origin)
    return key
  }

  private mutating func clear(from start: Int) {
    fields.removeSubrange(start...)
    offsets.removeSubrange(start...)
    values.removeSubrange(start...)
  }

  // MARK: Problems

  private func describe(_ frame: Frame) -> String {
    "\(frame.entity.fields[frame.field].name.string.quoted) of \(frame.entity.name)"
  }

  private func addMismatch(_ reader: JSONReader, _ message: String) {
    stage.problems.add(.typeMismatch, at: stage.origin(reader.tokenStart), message)
  }

  private func addDuplicate(at origin: Origin) {
    stage.problems.add(.duplicateKey, at: origin, "the object has this member already")
  }

  private func addMissingID(_ frame: Frame) {
    let name = frame.entity.idName.string.quoted
    let message =
      switch frame.idToken {
      case nil: "this record of \(frame.entity.name) has no \(name)"
      case .null: "the \(name) of this record of \(frame.entity.name) is null"
      case .some(let token):
        "the \(name) of this record of \(frame.entity.name) is \(token.noun); an ID is a number "
          + "or a string"
      }
    stage.problems.add(.missingID, at: frame.origin, message)
  }
}
