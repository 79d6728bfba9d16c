import EntiaCoding
import EntiaJSON

// Records: their IDs and their members.
extension GraphQLWalk {
  mutating func readRecord(
    _ node: Int, _ schema: Schema.Entity, _ id: Int?, _ run: inout ImportRun, _ depth: Int,
    _ place: SynthesizedKey?
  ) throws(JSONError) -> Value {
    run.stage.counts.read += 1
    let start = tape.nodes[node].start
    let entity = run.enter(schema.name, at: start)
    var key: RecordKey?
    if !schema.hasCompositeID {
      key = id.map(self.key) ?? place.map { .string($0.text) }
      if key == nil || key.map(\.text.utf8.count) ?? 0 > SynthesizedKey.maximumLength && id == nil {
        run.add(
          .missingID, at: start, missing(id, schema, place))
        return .text
      }
    }
    let base =
      !synthesizesIDs
      ? nil
      : key.map {
        SynthesizedKey(parent: entity.rows[entity.position(of: $0)].id, isSynthesized: id == nil)
      }
    var members: [(name: String, value: RecordValue)] = []
    for value in values(of: node) {
      let name = name(of: value, schema)
      if value == id || self.name(of: value) == "__typename" { continue }
      if id != nil, entity.hasID(named: name) {
        checkRepeatedID(value, key, entity, &run)
        continue
      }
      var place = synthesizesIDs ? base : nil
      place?.append(step: name)
      let read = try read(value, &run, depth + 1, place, target(name, of: schema, run))
      let member = (name, try self.value(read, value, name, entity, &run))
      if !schema.membersByAlias.isEmpty,
        let known = members.first(where: { $0.name.isExactly(name) })
      {
        checkAlias(of: value, known, member.1, &run)
      } else {
        members.append(member)
      }
    }
    guard let key = key ?? run.compositeKey(of: entity, members, at: start) else { return .text }
    let position = entity.position(of: key)
    run.upsert(entity, position, members, from: run.stage.origin(start))
    return .one(entity.rows[position].id)
  }

  /// Returns a value as an ID, or nil if it is not an ID.
  func key(_ node: Int) -> RecordKey? {
    switch tape.nodes[node].token {
    case .string: return .string(reader.text(of: tape.nodes[node]))
    case .number:
      let bytes = reader.bytes(tape.nodes[node].start..<tape.nodes[node].end)
      return .number(JSONNumber(checked: String(decoding: bytes, as: UTF8.self)))
    default: return nil
    }
  }

  /// Returns the reason why a record has no ID.
  func missing(_ id: Int?, _ schema: Schema.Entity, _ place: SynthesizedKey?) -> String {
    if let id {
      return "the \(schema.idName) of this record of \(schema.name) is "
        + "\(tape.nodes[id].token.kindDescription); an ID is a number or a string"
    }
    return place == nil
      ? "this record of \(schema.name) has no \(schema.idName.quoted) and is not nested in a "
        + "row that could provide one"
      : "the ID that this record of \(schema.name) takes from its parent is longer than "
        + "\(SynthesizedKey.maximumLength) bytes; give it one of its own"
  }

  /// Reports a member that has different values under its name and under an alias.
  func checkAlias(
    of node: Int, _ known: (name: String, value: RecordValue), _ value: RecordValue,
    _ run: inout ImportRun
  ) {
    if known.value == value { return }
    run.add(
      .conflict, at: tape.nodes[node - 1].start,
      "this record has two values of \(known.name.quoted), under its name and its aliases")
  }

  /// Reports a second member that the schema defines as the ID, if its value differs from the
  /// record's known ID.
  func checkRepeatedID(
    _ node: Int, _ known: RecordKey?, _ entity: EntityStage, _ run: inout ImportRun
  ) {
    if let key = key(node), key == known { return }
    run.add(
      .conflict, at: tape.nodes[node - 1].start,
      "\(name(of: node).quoted) is the ID of \(entity.name) by the schema, and the record has "
        + "another ID")
  }

  func value(
    _ read: Value, _ node: Int, _ name: String, _ entity: EntityStage, _ run: inout ImportRun
  ) throws(JSONError) -> RecordValue {
    let offset = tape.nodes[node - 1].start
    let targets = read.targets
    switch read {
    case .one, .many:
      guard let first = targets.first else { return run.emptyList(name, entity) }
      let isMany = if case .many = read { true } else { false }
      for id in targets
      where !run.discover(
        name, of: entity, to: id.entity, isMany: isMany, by: "__typename", at: offset)
      {
        return .null
      }
      return isMany ? .references(targets) : .reference(first)
    case .text:
      var reader = reader.reader(from: tape.nodes[node].start)
      var canonicalizer = JSONCanonicalizer()
      let text = try canonicalizer.read(try reader.next(), from: &reader)
      return run.value(text, of: name, entity, at: offset)
    }
  }
}
