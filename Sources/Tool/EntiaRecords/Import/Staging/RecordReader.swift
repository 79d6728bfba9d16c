import EntiaCoding
import EntiaJSON

/// Reads records and stages them, nested records first, without recursion.
///
/// Until its record ends, a member is a range of the text and is not converted. A repeated record,
/// such as one that is nested in many others, therefore allocates nothing.
final class RecordReader {
  /// A record or an array of records whose end has not been read.
  struct Frame {
    /// The entity of the record, or of the array's elements; the stage retains it during the whole
    /// import.
    unowned(unsafe) let entity: EntityStage
    let isList: Bool
    let origin: Origin
    /// The top of the member stack when the record or array began.
    let mark: MemberStack.Mark
    /// The position of the record's row in the entity; -1 before the ID is known.
    var row = -1
    /// The token of the ID member; nil if there is none.
    var idToken: JSONToken?
    let isKeyGiven: Bool
    /// The index of the field of the member that is being read or was read last; -1 before the
    /// first.
    var field = -1
    var fieldOffset = 0
    /// The position of the relationship's variants, if the record or the array is the value of a
    /// relationship to several entities; -1 otherwise.
    var variants = -1
    /// The number of deferred records when the record or array began.
    var deferredStart = 0
  }

  let stage: ImportStage
  // Accessed for every member of every record; see ``EntityStage``.
  @exclusivity(unchecked) private var canonicalizer = JSONCanonicalizer()
  @exclusivity(unchecked) var frames = ScratchList<Frame>()
  /// The outermost record's name in the enclosing object. It is the ID if the record contains none.
  @exclusivity(unchecked) private var name: String?
  /// The completed members of all open records and arrays.
  @exclusivity(unchecked) private(set) var stack = MemberStack()
  /// The texts of the last completed record.
  @exclusivity(unchecked) var texts = ScratchList<UInt8>()
  @exclusivity(unchecked) private var content: [UInt8] = []
  /// The deferred records. `deferredResult` is the placeholder of the most recent deferred record.
  @exclusivity(unchecked) var deferred: [DeferredRow] = []
  @exclusivity(unchecked) var deferredResult: RecordID?
  @exclusivity(unchecked) var types = TypeFinder()

  init(stage: ImportStage) { self.stage = stage }

  /// Reads the record whose `{` was read last, and stages it.
  ///
  /// - Parameters:
  ///   - row: The position of the record's row, if the ID is outside the record.
  ///   - name: The ID to use if the record contains none.
  /// - Returns: The position of the record's row, or nil if the record was rejected and the problem
  ///   reported.
  /// - Throws: A `JSONError` if the text is invalid. Earlier rows remain staged.
  func read(
    _ entity: EntityStage, at row: Int? = nil, named name: String? = nil, origin: Origin? = nil,
    from reader: inout JSONReader
  ) throws(JSONError) -> Int? {
    frames.removeAll()
    stack.removeAll()
    types.reset()
    deferred.removeAll()
    let kept = reader.keptFrom
    reader.keptFrom = min(kept, reader.tokenStart)
    begin(entity, at: origin ?? stage.origin(reader.tokenStart), row: row)
    self.name = name
    while frames.count > 0 {
      let top = frames.count - 1
      let token = try reader.next()
      if frames[top].isList {
        if frames[top].variants >= 0 {
          try readVariantElement(token, top, &reader)
        } else {
          try readElement(token, top, &reader)
        }
      } else if token == .name {
        try readMember(top, &reader)
      } else {
        let frame = frames.removeLast()
        // Read once, because each access of an unowned object retains it.
        let entity = frame.entity
        let row = finish(frame, entity, reader)
        if frames.count == 0 {
          reader.keptFrom = kept
          return row
        }
        deliver(row.map { entity.rows[$0].id } ?? takeDeferred(), to: frames.count - 1)
      }
    }
    return nil
  }

  func begin(_ entity: EntityStage, at origin: Origin, row: Int? = nil) {
    stage.counts.read += 1
    frames.append(
      Frame(
        entity: entity, isList: false, origin: origin, mark: stack.mark, row: row ?? -1,
        isKeyGiven: row != nil, deferredStart: deferred.count))
  }

  // MARK: Members

  private func readMember(_ top: Int, _ reader: inout JSONReader) throws(JSONError) {
    // The stage retains the entity, so that it need not be retained here.
    let role = Unmanaged.passUnretained(frames[top].entity)._withUnsafeGuaranteedRef { entity in
      let field = entity.field(of: reader, after: frames[top].field)
      frames[top].field = field
      return entity.fields[field].role
    }
    frames[top].fieldOffset = reader.tokenStart
    switch role {
    case .plain:
      let token = try reader.next()
      try readPlain(token, top, &reader)
    case .id: try readID(top, &reader)
    case .toOne(let target):
      try readReference(top, to: stage.entities[target], &reader)
    case .toMany(let target):
      try readList(top, of: stage.entities[target], &reader)
    case .oneOf(let variants): try readVariant(variants, top, &reader)
    case .manyOf(let variants): try readVariants(variants, top, &reader)
    }
  }

  private func readPlain(
    _ token: JSONToken, _ top: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    guard token.opens || token == .string && !reader.isCanonicalString else {
      let count = reader.tokenEnd - reader.tokenStart
      return append(.text, start: reader.tokenStart, count: count, to: top)
    }
    try canonicalizer.write(token, from: &reader)
    let start = stack.append(text: canonicalizer.output)
    if !canonicalizer.duplicates.isEmpty {
      for offset in canonicalizer.duplicates { addDuplicate(at: stage.origin(offset)) }
      canonicalizer.clearDuplicates()
    }
    append(.arena, start: start, count: canonicalizer.output.count, to: top)
  }

  private func readID(_ top: Int, _ reader: inout JSONReader) throws(JSONError) {
    let name = stage.origin(reader.tokenStart)
    let token = try reader.next()
    if frames[top].isKeyGiven {
      let id = frames[top].entity.idName.string.quoted
      stage.problems.add(
        .typeMismatch, at: name,
        "the record has a pk, which is stored as \(id), so that no field can have this name; name the "
          + "ID otherwise in a schema")
    } else if frames[top].idToken != nil {
      addDuplicate(at: name)
    } else if let row = row(token, frames[top].entity, reader) {
      frames[top].row = row
    }
    frames[top].idToken = token
    try reader.skipValue(token)
  }

  private func readReference(
    _ top: Int, to target: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    switch token {
    case .null: append(.text, start: reader.tokenStart, count: 4, to: top)
    case .beginObject: begin(target, at: stage.origin(reader.tokenStart))
    case .beginArray where frames[0].origin.members == .fields:
      try readNaturalKey(top, of: target, &reader)
    default:
      if let row = row(token, target, reader) {
        return appendReference(to: target.rows[row].id, top)
      }
      try reject(
        token, "\(describe(top)) refers to one row of \(target.name)", "an ID, an object or null",
        &reader)
    }
  }

  func appendReference(to id: RecordID, _ top: Int) {
    append(.one, start: stack.append(id), count: 1, to: top)
  }

  func readList(
    _ top: Int, of target: EntityStage, hasVariants: Bool = false, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    switch token {
    case .null: append(.text, start: reader.tokenStart, count: 4, to: top)
    case .beginArray:
      frames.append(
        Frame(
          entity: target, isList: true, origin: stage.origin(reader.tokenStart), mark: stack.mark,
          isKeyGiven: false))
    default:
      try reject(
        token, "\(describe(top)) refers to rows\(hasVariants ? "" : " of \(target.name)")",
        "an array or null", &reader)
    }
  }

  func readElement(
    _ token: JSONToken, _ top: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch token {
    case .endArray:
      let start = frames.removeLast().mark.targets
      append(.many, start: start, count: stack.targets.count - start, to: top - 1)
    case .beginObject:
      begin(frames[top].entity, at: stage.origin(reader.tokenStart))
    default:
      let entity = frames[top].entity
      if let row = row(token, entity, reader) {
        stack.append(entity.rows[row].id)
        return
      }
      try reject(
        token, "\(describe(top - 1)) refers to rows of \(entity.name)", "an ID or an object",
        &reader)
    }
  }

  /// Returns the position of the row whose ID was read last, or nil if the token is no ID.
  @inline(__always)
  private func row(
    _ token: JSONToken, _ entity: EntityStage, _ reader: borrowing JSONReader
  ) -> Int? {
    switch token {
    case .number: return entity.position(isNumber: true, reader.tokenBytes)
    case .string:
      if !reader.hasEscapes { return entity.position(isNumber: false, reader.rawString) }
      content.removeAll(keepingCapacity: true)
      reader.appendContent(to: &content)
      return content.withUnsafeBufferPointer { entity.position(isNumber: false, $0) }
    default: return nil
    }
  }

  func append(_ kind: MemberStack.Kind, start: Int, count: Int, to top: Int) {
    stack.append(
      MemberStack.Member(kind: kind, start: start, count: count, offset: frames[top].fieldOffset),
      field: frames[top].field)
  }

  /// Adds a nested record's ID to the enclosing record or array.
  private func deliver(_ id: RecordID?, to parent: Int) {
    let start = stack.targets.count
    if let id { stack.append(id) }
    if frames[parent].isList { return }
    // A refused record leaves an empty value, which does no harm, because the import then writes
    // nothing.
    append(id == nil ? .many : .one, start: start, count: id == nil ? 0 : 1, to: parent)
  }

  // MARK: Ends

  /// Stages the completed record, and removes its members from the stack.
  private func finish(
    _ frame: Frame, _ entity: EntityStage, _ reader: borrowing JSONReader
  ) -> Int? {
    var frame = frame
    let isComposite = !entity.idFields.isEmpty
    if isComposite {
      frame.row = compositeRow(of: frame, reader) ?? -1
    } else if frame.row < 0, frame.idToken == nil, frames.count == 0, let name {
      frame.row = entity.position(of: .string(name))
    }
    let shape = entity.shape(stack.fields.elements(from: frame.mark.members))
    for position in shape.duplicates {
      addDuplicate(at: stage.origin(stack.members[frame.mark.members + position].offset))
    }
    defer { stack.removeAll(from: frame.mark) }
    guard frame.row >= 0 else {
      if entity.takesIDFromParent, frame.idToken == nil, `defer`(frame, shape, reader) {
        return nil
      }
      deferred.removeSubrange(frame.deferredStart...)
      if !isComposite { addMissingID(frame, reader) }
      return nil
    }
    if frame.variants >= 0, isReference(frame) {
      stage.counts.read -= 1
      return frame.row
    }
    var named = stack.write(shape, from: frame.mark, reader, to: &texts)
    if deferred.count > frame.deferredStart {
      // `resolveDeferred` does not change `texts`, which the call of `upsert` still needs.
      named = resolveDeferred(named, of: entity.rows[frame.row].id, from: frame.deferredStart)
    }
    stage.upsert(
      entity, frame.row,
      ImportStage.Members(names: shape.names, targets: named, texts: texts.elements),
      from: frame.origin)
    return frame.row
  }
}

// The problems of records that are read.
extension RecordReader {
  func describe(_ top: Int) -> String {
    let entity = frames[top].entity
    return "\(entity.fieldNames[frames[top].field].string.quoted) of \(entity.name)"
  }

  func addMismatch(_ reader: JSONReader, _ message: String) {
    stage.problems.add(.typeMismatch, at: stage.origin(reader.tokenStart), message)
  }

  /// Reports and skips a value that does not fit its member.
  func reject(
    _ token: JSONToken, _ member: String, _ expected: String, _ reader: inout JSONReader
  ) throws(JSONError) {
    addMismatch(reader, "\(member): expected \(expected), found \(token.kindDescription)")
    try reader.skipValue(token)
  }

  func addDuplicate(at origin: Origin) {
    stage.problems.add(.duplicateKey, at: origin, "the object already has a member of this name")
  }

  func addMissingID(_ frame: Frame, _ reader: borrowing JSONReader) {
    let entity = frame.entity
    let name = entity.idName.string.quoted
    let record = "this record of \(entity.name)"
    let message: String
    let cause: String
    switch frame.idToken {
    case nil where frame.origin.members == .fields:
      let lack =
        "no pk and no field \(name), as after dumpdata --natural-primary; name the field "
        + "that is the ID in a schema"
      message = "this record of \(entity.name) has \(lack)"
      cause = lack
      entity.idCandidates.add(possibleIDs(frame, reader))
    case nil:
      let place =
        entity.takesIDFromParent ? " and is not nested in a row that could provide one" : ""
      message = "\(record) has no \(name)\(place)"
      cause = "no \(name)\(place)"
      entity.idCandidates.add(possibleIDs(frame, reader))
    case .null:
      message = "the \(name) of \(record) is null"
      cause = "\(name) is null"
    case .some(let token):
      let rule = "\(token.kindDescription); an ID is a number or a string"
      message = "the \(name) of \(record) is \(rule)"
      cause = "\(name) is \(rule)"
    }
    stage.problems.add(
      .missingID, at: frame.origin, message,
      cause: ImportProblem.Cause(entity: entity.name, cause))
  }

  /// Returns the members of a completed record with values that could be IDs.
  private func possibleIDs(
    _ frame: Frame, _ reader: borrowing JSONReader
  ) -> [IDCandidates.Member] {
    (frame.mark.members..<stack.members.count).compactMap { index -> IDCandidates.Member? in
      stack.withText(of: stack.members[index], reader) { text in
        guard let text, Self.mayBeID(text) else { return nil }
        return (stack.fields[index], ValueHash.of(text, tag: 0))
      }
    }
  }

  /// Returns whether a value is a string or an integer.
  private static func mayBeID(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    return first == Byte.quote || first == Byte.minus && text.dropFirst().allSatisfy(Byte.isDigit)
      || text.allSatisfy(Byte.isDigit)
  }
}
