import EntiaCoding
import EntiaJSON

/// Reads records in one pass without recursion, and collects the statistics of each slot.
struct SlotReader {
  /// An object or array whose end has not been read.
  private struct Frame {
    /// The slot of the object; for an array, the slot of the record that contains it. Nil for
    /// values that are too deep to be records.
    let slot: InferenceSlot?
    let isObject: Bool
    /// The index of the current member; for an array, the index of the member that contains it.
    var member = -1
    /// The hash of the current member's name, in an object that is not a record.
    var name: UInt64 = 0
    /// The start of the record's members on the stack.
    let start: Int
    var hash: UInt64
  }

  /// The value of a member of an open record.
  private struct Value {
    let member: Int
    let hash: IDHash
    let kind: InferenceMember.Kind
  }

  private(set) var slots: [InferenceSlot] = []
  /// The path of the records in each line, or nil for the whole line.
  var path: JSONPath?
  /// The positions of the slots at the top level and of tables, by name.
  private var named: [ExactString: Int] = [:]
  private var frames: [Frame] = []
  /// The members of all open records. The members of the innermost record are last.
  private var values: [Value] = []

  /// The maximum length in bytes of a string that counts as an ID without further evidence.
  private static let longestPlainKey = 64
  private static let greatestDepth = 32
  private static let mostSlots = 500

  /// Returns the slot with the name `name`. Creates the slot if it does not exist.
  mutating func slot(
    _ name: String, _ origin: InferenceSlot.Origin, path: String, knownID: String? = nil
  ) -> InferenceSlot {
    if let position = named[ExactString(name)] { return slots[position] }
    named[ExactString(name)] = slots.count
    return makeSlot(name, origin, in: nil, path: path, knownID: knownID)
  }

  /// Returns the slot of a Django model's records. The slot has the name of the model without the
  /// app. If models of several apps share this name, the slot has the name with the app.
  mutating func slot(ofModel model: String) -> InferenceSlot {
    let name = model.split(separator: ".").last.map(String.init) ?? model
    let slot = slot(name, .table, path: "$[].fields")
    if slot.model == nil { slot.model = model }
    if slot.model?.isExactly(model) == true { return slot }
    slot.sharesModelName = true
    let own = self.slot(model, .table, path: "$[].fields")
    own.model = model
    own.sharesModelName = true
    return own
  }

  private mutating func makeSlot(
    _ name: String, _ origin: InferenceSlot.Origin, in parent: InferenceSlot?, path: String,
    knownID: String? = nil
  ) -> InferenceSlot {
    let slot = InferenceSlot(
      name: name, origin: origin, parent: parent, path: path, position: slots.count,
      knownID: knownID)
    slots.append(slot)
    return slot
  }

  /// Returns the slot of objects in a member. Nested members with the same name share a slot, so
  /// that a chain of records of any length has one slot.
  ///
  /// Returns nil if the objects are nested too deep for a plausible schema, or if a new slot would
  /// exceed the plausible number of slots.
  private mutating func child(of slot: InferenceSlot, _ member: Int, isElement: Bool)
    -> InferenceSlot?
  {
    if let child = slot.members[member].child { return slots[child] }
    let name = slot.members[member].name
    var ancestor: InferenceSlot? = slot
    while let above = ancestor, above.origin != .member || !above.name.isExactly(name) {
      ancestor = above.parent
    }
    if ancestor == nil, slot.depth >= Self.greatestDepth || slots.count >= Self.mostSlots {
      return nil
    }
    let path = slot.path + JSONPath([.name(name)]).description.dropFirst() + (isElement ? "[]" : "")
    let child = ancestor ?? makeSlot(name, .member, in: slot, path: path)
    slot.members[member].child = child.position
    return child
  }

  /// Reads the record whose `{` was read last.
  ///
  /// - Parameter key: The ID of the record, if it is outside the record.
  mutating func readRecord(
    _ slot: InferenceSlot, key: IDHash? = nil, from reader: inout JSONReader
  ) throws(JSONError) {
    frames.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    begin(slot, isObject: true)
    while let top = frames.indices.last {
      let token = try reader.next()
      switch token {
      case .name:
        if let slot = frames[top].slot {
          frames[top].member = slot.member(reader.string())
        } else {
          frames[top].name = ValueHash.of(reader.string().utf8, tag: 0)
        }
      case .beginObject: begin(childSlot(frames[top]), isObject: true)
      case .beginArray:
        begin(
          frames[top].isObject ? frames[top].slot : nil, isObject: false,
          member: frames[top].member)
      case .endObject:
        let frame = frames.removeLast()
        deliver(finish(frame, key: frames.isEmpty ? key : nil), .object)
      case .endArray:
        deliver(frames.removeLast().hash, .list)
      case .null: deliver(ValueHash.null, .null)
      case .true: deliver(ValueHash.true, .other)
      case .false: deliver(ValueHash.false, .other)
      case .number: readNumber(reader)
      case .string: readString(reader)
      case .end: return
      }
    }
  }

  private mutating func begin(_ slot: InferenceSlot?, isObject: Bool, member: Int = -1) {
    frames.append(
      Frame(
        slot: slot, isObject: isObject, member: member, start: values.count,
        hash: isObject ? 0 : ValueHash.emptyList))
  }

  private mutating func childSlot(_ frame: Frame) -> InferenceSlot? {
    frame.slot.flatMap { child(of: $0, frame.member, isElement: !frame.isObject) }
  }

  // MARK: Values

  private mutating func readNumber(_ reader: JSONReader) {
    let number = reader.number()
    deliver(
      IDHash(.number(number)), number.isPlainInteger ? .key : .number, number: number.integer)
  }

  private mutating func readString(_ reader: JSONReader) {
    let string = reader.string()
    deliver(IDHash(.string(string)), .key, isLong: string.utf8.count > Self.longestPlainKey)
  }

  private mutating func deliver(_ hash: UInt64, _ kind: InferenceMember.Kind) {
    deliver(IDHash(value: hash), kind)
  }

  private mutating func deliver(
    _ id: IDHash, _ kind: InferenceMember.Kind, number: Int? = nil, isLong: Bool = false
  ) {
    guard let top = frames.indices.last else { return }
    let hash = id.value
    let member = frames[top].member
    guard let slot = frames[top].slot else {
      if frames[top].isObject {
        frames[top].hash &+= ValueHash.of(frames[top].name, hash)
      } else {
        frames[top].hash = ValueHash.of(frames[top].hash, hash)
      }
      return
    }
    if kind == .key { slot.members[member].add(key: hash, number: number, isLong: isLong) }
    if frames[top].isObject {
      slot.members[member].values.add(kind)
      values.append(Value(member: member, hash: id, kind: kind))
    } else {
      slot.members[member].elements.add(kind)
      frames[top].hash = ValueHash.of(frames[top].hash, hash)
    }
  }

  // MARK: Ends

  /// Adds the completed record to the statistics.
  ///
  /// - Returns: The hash of the record's ID, or of its content if it seems to have no ID. The hash
  ///   of an enclosing record includes only this hash, and is therefore the same whether the
  ///   enclosing record contains this record or only its ID.
  private mutating func finish(_ frame: Frame, key: IDHash?) -> UInt64 {
    guard let slot = frame.slot else { return frame.hash }
    defer { values.removeSubrange(frame.start...) }
    slot.records += 1
    let members = values[frame.start...]
    func pairs(without member: Int?) -> some Sequence<(name: UInt64, value: UInt64)> {
      members.lazy.filter { $0.member != member }
        .map { (slot.members[$0.member].hash, $0.hash.value) }
    }
    if let key {
      guard slot.given == nil else {
        slot.given?.add(key, under: nil, members: pairs(without: nil))
        return key.value
      }
      slot.keyed?.add(key, under: nil, members: EmptyCollection())
    }
    let candidates = members.filter { value in
      guard let rank = slot.members[value.member].rank else { return false }
      return value.kind == .key || value.kind == .number && rank < EntityNames.firstWeakRank
    }.sorted { (slot.members[$0.member].rank ?? 0) < (slot.members[$1.member].rank ?? 0) }
    guard let best = candidates.first else {
      return pairs(without: nil).reduce(0) { $0 &+ ValueHash.of($1.name, $1.value) }
    }
    let isStrong = (slot.members[best.member].rank ?? 0) < EntityNames.firstWeakRank
    for candidate in candidates.prefix(isStrong ? 1 : 3) {
      let others = Array(pairs(without: candidate.member))
      slot.members[candidate.member].identity?.add(candidate.hash, under: key, members: others)
    }
    for value in members where value.hash.value == best.hash.value {
      slot.members[value.member].ownKeys += 1
    }
    return best.hash.value
  }
}

extension SlotReader {
  /// Reads an array of records, or a single record.
  mutating func readNested(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    if token == .beginArray { return try readList(slot, from: &reader) }
    if token == .beginObject { return try readRecord(slot, from: &reader) }
    try reader.skipValue(token)
  }

  /// Reads the records of the array that has begun; elements that are not objects are ignored.
  private mutating func readList(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    while let token = try reader.nextElement() {
      if token == .beginObject {
        try readRecord(slot, from: &reader)
      } else {
        try reader.skipValue(token)
      }
    }
  }

  /// Reads a record on each line.
  mutating func readLines(
    _ slot: InferenceSlot, _ window: ByteWindow
  ) throws(JSONError) {
    var lines = JSONLines(window)
    while let line = lines.next() {
      var reader = JSONReader(window, line.range, line: line.number, column: line.column)
      if let path, try reader.descend(to: path) != nil { continue }
      try readNested(slot, from: &reader)
      if let path { _ = try reader.ascend(from: path) }
      _ = try reader.next()
    }
  }

  /// Reads tables: an exported database, or an object with a member for each table.
  mutating func readTables(
    _ layout: TablesLayout, _ schema: Schema, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginObject else { return try reader.skipValue(token) }
    while try reader.next() == .name {
      let name = reader.string()
      let token = try reader.next()
      if !layout.isDatabase {
        try readTable(name, token, schema, path: "$", from: &reader)
      } else if name == "entities", token == .beginObject {
        while try reader.next() == .name {
          let name = reader.string()
          try readTable(name, try reader.next(), schema, path: "$.entities", from: &reader)
        }
      } else {
        try reader.skipValue(token)
      }
    }
  }

  private mutating func readTable(
    _ name: String, _ token: JSONToken, _ schema: Schema, path: String,
    from reader: inout JSONReader
  ) throws(JSONError) {
    guard token.opens else { return }
    let place = path + JSONPath([.name(name)]).description.dropFirst() + "[]"
    let slot = slot(name, .table, path: place, knownID: schema.entity(name)?.idName)
    if token == .beginArray { return try readList(slot, from: &reader) }
    try readRows(slot, from: &reader)
  }

  /// Reads an object whose members are records. The name of each member may be the record's ID.
  mutating func readKeyed(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginObject else { return try reader.skipValue(token) }
    try readRows(slot, from: &reader)
  }

  /// Reads the records in the object whose `{` was read last. The name of each record may be its
  /// ID.
  private mutating func readRows(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    if slot.keyed == nil { slot.keyed = RecordIdentity() }
    while try reader.next() == .name {
      let key = IDHash(.string(reader.string()))
      let token = try reader.next()
      if token == .beginObject {
        try readRecord(slot, key: key, from: &reader)
      } else {
        try reader.skipValue(token)
      }
    }
  }

  /// Reads records in the output format of Django's `dumpdata`.
  mutating func readDjango(from reader: inout JSONReader) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginArray else { return try reader.skipValue(token) }
    while let token = try reader.nextElement() {
      guard token == .beginObject else {
        try reader.skipValue(token)
        continue
      }
      // The fields can be read only when the model is known, and the model may follow the fields.
      reader.keptFrom = reader.tokenStart
      defer { reader.keptFrom = .max }
      var record = DjangoRecord()
      while try reader.next() == .name {
        let name = reader.string()
        let token = try reader.next()
        _ = record.note(name, token, reader)
        try reader.skipValue(token)
      }
      guard let model = record.model, let fields = record.fields else { continue }
      let key = record.key.map { IDHash($0) }
      let slot = slot(ofModel: model)
      // If the rows have a key outside the fields, no member is ranked as a possible ID.
      if key != nil, slot.given == nil, slot.records == 0 { slot.given = RecordIdentity() }
      var fieldReader = reader.reader(from: fields)
      _ = try fieldReader.next()
      try readRecord(slot, key: key, from: &fieldReader)
    }
  }
}
