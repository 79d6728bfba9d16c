import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// The parts of a JSON:API resource that have been read so far.
  private struct Resource {
    var type: String?
    var id: String?
    /// The offsets of the two parts that can be read only when the type is known.
    var attributes: Int?
    var relationships: Int?
    var isWhole = true
  }

  /// The rows that linkage refers to.
  private enum Linkage {
    case none
    case one(type: String, id: String)
    case many([(type: String, id: String)])
    /// Missing or invalid; an invalid linkage has already been reported.
    case unknown
  }

  /// Reads a JSON:API document.
  mutating func readJSONAPI(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "a JSON:API document, which is an object", &reader) else {
      return
    }
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      switch name {
      case "data": try run.readResources(token, isRoot: true, &reader)
      case "included": try run.readResources(token, isRoot: false, &reader)
      case "errors":
        let message = try run.firstMessage(token, ["detail", "title", "code"], &reader)
        run.addMismatch(
          at: offset,
          "the document has errors instead of data" + (message.map { ": \($0)" } ?? ""))
      default: try run.ignore(name, token, &reader)
      }
    }
  }

  private mutating func ignore(
    _ name: String, _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) {
    ignored[name, default: 0] += 1
    try reader.skipValue(token)
  }

  private mutating func readResources(
    _ token: JSONToken, isRoot: Bool, _ reader: inout JSONReader
  ) throws(JSONError) {
    switch token {
    case .null where isRoot: return
    case .beginObject where isRoot: try readResource(isRoot: true, &reader)
    case .beginArray:
      while let token = try reader.nextElement() {
        let expected = "a resource, which is an object with type and id"
        if try accept(token, as: .beginObject, expected, &reader) {
          try readResource(isRoot: isRoot, &reader)
        }
      }
    default: try reject(token, "an array of resources", &reader)
    }
  }

  private mutating func readResource(
    isRoot: Bool, _ reader: inout JSONReader
  ) throws(JSONError) {
    let start = reader.tokenStart
    reader.keptFrom = start
    defer { reader.keptFrom = .max }
    stage.counts.read += 1
    var resource = Resource()
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      switch (name, token) {
      case ("type", .string): resource.type = reader.string()
      case ("id", .string): resource.id = reader.string()
      case ("attributes", .beginObject): resource.attributes = reader.tokenStart
      case ("relationships", .beginObject): resource.relationships = reader.tokenStart
      case ("type", _), ("id", _), ("attributes", _), ("relationships", _):
        resource.isWhole = false
        let expected = name == "type" || name == "id" ? "a string" : "an object"
        run.addMismatch(
          at: offset,
          "expected \(expected) as \(name) of a resource, found \(token.kindDescription)")
      default: return try run.ignore(name, token, &reader)
      }
      try reader.skipValue(token)
    }
    guard resource.isWhole else { return }
    guard let type = resource.type, let id = resource.id else {
      return add(
        .missingID, at: start,
        "this resource has no \(resource.type == nil ? "type" : "id")")
    }
    let entity = enter(type, at: start)
    var members: [(name: String, value: RecordValue)] = []
    if let offset = resource.attributes {
      try readAttributes(reader.reader(from: offset), entity, id, &members)
    }
    let references = members.filter { member in
      if case .plain = member.value { false } else { true }
    }
    if let offset = resource.relationships {
      try readRelationships(reader.reader(from: offset), entity, &members)
    }
    guard hasSynthesizedID(id, entity, members, at: start) else { return }
    let position = entity.position(of: .string(id))
    upsert(
      entity, position, members,
      from: Origin(file: stage.file, offset: start, members: .resource))
    if let offset = resource.attributes { noteOrigin(offset, of: references, entity, position) }
    if isRoot { entity.markRoot(position) }
  }

  /// Stores the attributes as the origin of the references that were read from them. Otherwise,
  /// problems of these references would be located in the resource's `relationships`.
  private func noteOrigin(
    _ attributes: Int, of references: [(name: String, value: RecordValue)],
    _ entity: EntityStage, _ position: Int
  ) {
    let row = entity.rows[position].origin
    for name in references.lazy.map({ ExactString($0.name) })
    where entity.origin(of: name, at: position).offset == row.offset {
      entity.memberOrigins[position, default: [:]][name] = stage.origin(attributes)
    }
  }

  private mutating func readAttributes(
    _ reader: JSONReader, _ entity: EntityStage, _ id: String,
    _ members: inout [(name: String, value: RecordValue)]
  ) throws(JSONError) {
    var reader = reader
    _ = try reader.next()
    var canonicalizer = JSONCanonicalizer()
    var read: [(name: String, value: RecordValue)] = []
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let text = try canonicalizer.read(try reader.next(), from: &reader)
      for offset in canonicalizer.duplicates { run.addDuplicate(at: offset) }
      canonicalizer.clearDuplicates()
      // Some servers repeat the ID among the attributes, often as a number.
      if entity.hasID(named: name) {
        if text.key?.text.isExactly(id) != true {
          run.addRepeatedID(RecordID(entity: entity.name, key: .string(id)), name, at: offset)
        }
        return
      }
      // A schema may define that an attribute refers to rows.
      read.append((name, run.value(text, of: name, entity, at: offset)))
    }
    members += read
  }

  private func addRepeatedID(_ id: RecordID, _ name: String, at offset: Int) {
    add(
      .conflict, at: offset,
      "\(id) has another \(name.quoted) among its attributes; leave one of them out, or make them "
        + "equal")
  }

  private mutating func readRelationships(
    _ reader: JSONReader, _ entity: EntityStage,
    _ members: inout [(name: String, value: RecordValue)]
  ) throws(JSONError) {
    var reader = reader
    _ = try reader.next()
    var read: [(name: String, value: RecordValue)] = []
    let known = members.map(\.name)
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      if known.contains(where: { $0.isExactly(name) }) { run.addDuplicate(at: offset) }
      if entity.hasID(named: name) {
        run.addMismatch(
          at: offset,
          "\(name.quoted) is the ID of \(entity.name) and cannot be a relationship; name its ID "
            + "otherwise in a schema")
        return try reader.skipValue(try reader.next())
      }
      guard try run.begin(.beginObject, "a relationship, which is an object", &reader) else {
        return
      }
      var linkage = Linkage.unknown
      try run.readMembers(&reader) { (run, part, _, reader) throws(JSONError) in
        let token = try reader.next()
        if part == "data" {
          linkage = try run.readLinkage(token, &reader)
        } else {
          try run.ignore(part, token, &reader)
        }
      }
      if let value = run.value(of: linkage, name, entity, at: offset) {
        read.append((name, value))
      }
    }
    members += read
  }

  private mutating func value(
    of linkage: Linkage, _ name: String, _ entity: EntityStage, at offset: Int
  ) -> RecordValue? {
    switch linkage {
    case .unknown: return nil
    case .none: return .null
    case .one(let type, let id):
      guard discover(name, of: entity, to: type, isMany: false, by: "type", at: offset) else {
        return nil
      }
      return .reference(stage.id(type, .string(id)))
    case .many(let ids):
      guard !ids.isEmpty else { return emptyList(name, entity) }
      for id in ids
      where !discover(name, of: entity, to: id.type, isMany: true, by: "type", at: offset) {
        return nil
      }
      return .references(ids.map { stage.id($0.type, .string($0.id)) })
    }
  }

  private mutating func readLinkage(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Linkage {
    switch token {
    case .null: return .none
    case .beginObject:
      guard let id = try readIdentifier(&reader) else { return .unknown }
      return .one(type: id.type, id: id.id)
    case .beginArray:
      var ids: [(type: String, id: String)] = []
      while let token = try reader.nextElement() {
        let expected = "a resource identifier, which is an object with type and id"
        if try accept(token, as: .beginObject, expected, &reader),
          let id = try readIdentifier(&reader)
        {
          ids.append(id)
        }
      }
      return .many(ids)
    default:
      try reject(token, "null, a resource identifier or an array of these as linkage", &reader)
      return .unknown
    }
  }

  private mutating func readIdentifier(
    _ reader: inout JSONReader
  ) throws(JSONError) -> (type: String, id: String)? {
    let start = reader.tokenStart
    var type: String?
    var id: String?
    try readMembers(&reader) { (run, name, _, reader) throws(JSONError) in
      let token = try reader.next()
      switch (name, token) {
      case ("type", .string): type = reader.string()
      case ("id", .string): id = reader.string()
      default: try run.ignore(name, token, &reader)
      }
    }
    if let type, let id { return (type, id) }
    add(
      .missingID, at: start,
      "this resource identifier has no \(type == nil ? "type" : "id") that is a string")
    return nil
  }
}
