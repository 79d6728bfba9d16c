/// Reads records and notes, for each place where there are some, what they have in common; without
/// recursion, and in one pass.
struct SlotReader {
  /// An object or a list whose end has not been read.
  private struct Frame {
    /// The place of the object; for a list the place of the record that it is a member of. Nil for
    /// what lies too deep to be a record of its own.
    let slot: InferenceSlot?
    let isObject: Bool
    /// The member that is being read; for a list the one that it is the value of.
    var member = -1
    /// The name of the member that is being read, in an object that is no record.
    var name: UInt64 = 0
    /// Where the members of the record begin on their stack.
    let start: Int
    var hash: UInt64
  }

  private(set) var slots: [InferenceSlot] = []
  /// The places that have a name of their own, by it.
  private var named: [ExactString: Int] = [:]
  private var frames: [Frame] = []
  /// The members of all open records, the innermost record's last.
  private var values: [(member: Int, hash: UInt64, isKey: Bool)] = []

  /// Strings that are longer than this many bytes are no IDs.
  private static let longestKey = 64
  private static let greatestDepth = 32
  private static let mostSlots = 500

  /// Makes a place, or gives the one that is there already, for records of this name.
  mutating func slot(
    _ name: String, _ origin: InferenceSlot.Origin, path: String, knownID: String? = nil
  ) -> InferenceSlot {
    if let position = named[ExactString(name)] { return slots[position] }
    named[ExactString(name)] = slots.count
    return makeSlot(name, origin, in: nil, path: path, knownID: knownID)
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

  /// The place of objects that are values of a member. Members of one name inside each other share
  /// it, so that a chain of records is one place, however long.
  ///
  /// What lies deeper, or at more places, than any schema has is not told apart.
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
  /// - Parameter key: the ID of the record, where it stands outside.
  mutating func readRecord(
    _ slot: InferenceSlot, key: UInt64? = nil, from reader: inout JSONReader
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
    let hash = ValueHash.of(number.text.utf8, tag: 1)
    guard number.isPlainInteger, let value = number.integer else { return deliver(hash, .other) }
    deliver(hash, .key, number: value)
  }

  private mutating func readString(_ reader: JSONReader) {
    let string = reader.string()
    let hash = ValueHash.of(string.utf8, tag: 2)
    deliver(hash, string.utf8.count <= Self.longestKey ? .key : .other)
  }

  /// The hash of an ID, as of a value of a member.
  static func hash(_ key: RecordKey) -> UInt64 {
    switch key {
    case .number(let number): ValueHash.of(number.text.utf8, tag: 1)
    case .string(let string): ValueHash.of(string.utf8, tag: 2)
    }
  }

  private mutating func deliver(_ hash: UInt64, _ kind: InferenceMember.Kind, number: Int? = nil) {
    guard let top = frames.indices.last else { return }
    let member = frames[top].member
    guard let slot = frames[top].slot else {
      if frames[top].isObject {
        frames[top].hash &+= ValueHash.of(frames[top].name, hash)
      } else {
        frames[top].hash = ValueHash.of(frames[top].hash, hash)
      }
      return
    }
    if kind == .key { slot.members[member].add(key: hash, number: number) }
    if frames[top].isObject {
      slot.members[member].values.add(kind)
      values.append((member, hash, kind == .key))
    } else {
      slot.members[member].elements.add(kind)
      frames[top].hash = ValueHash.of(frames[top].hash, hash)
    }
  }

  // MARK: Ends

  /// Notes the record that has ended.
  ///
  /// - Returns: the hash of its ID, or of its content if it seems to have none: what is nested in
  ///   another record counts there by the ID that may stand in its place.
  private mutating func finish(_ frame: Frame, key: UInt64?) -> UInt64 {
    guard let slot = frame.slot else { return frame.hash }
    defer { values.removeSubrange(frame.start...) }
    slot.records += 1
    let members = values[frame.start...]
    func pairs(without member: Int?) -> some Sequence<(name: UInt64, value: UInt64)> {
      members.lazy.filter { $0.member != member }.map { (slot.members[$0.member].hash, $0.hash) }
    }
    if let key {
      guard slot.given == nil else {
        slot.given?.add(key, members: pairs(without: nil))
        return key
      }
      slot.keyed?.add(key, members: EmptyCollection())
    }
    let candidates = members.filter { $0.isKey && slot.members[$0.member].rank != nil }
      .sorted { (slot.members[$0.member].rank ?? 0) < (slot.members[$1.member].rank ?? 0) }
    guard let best = candidates.first else {
      return pairs(without: nil).reduce(0) { $0 &+ ValueHash.of($1.name, $1.value) }
    }
    let isStrong = (slot.members[best.member].rank ?? 0) < EntityNames.firstWeakRank
    for candidate in candidates.prefix(isStrong ? 1 : 3) {
      let others = Array(pairs(without: candidate.member))
      slot.members[candidate.member].identity?.add(candidate.hash, members: others)
    }
    for value in members where value.hash == best.hash { slot.members[value.member].ownKeys += 1 }
    return best.hash
  }
}
