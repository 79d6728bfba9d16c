import EntiaCoding
import EntiaJSON

/// Traverses the data of a response.
struct GraphQLWalk {
  /// The maximum nesting depth of a response. It is limited because each level uses stack.
  static var maximumDepth: Int { 512 }

  var tape: JSONTape
  let reader: JSONReader
  /// Whether some records may derive their IDs from the rows that contain them.
  var synthesizesIDs = false

  /// The kind of a value: plain text, one record or a list of records.
  enum Value {
    case text
    case one(RecordID)
    case many([RecordID])

    var targets: [RecordID] {
      switch self {
      case .text: []
      case .one(let id): [id]
      case .many(let ids): ids
      }
    }
  }

  /// Reads the members of an object that is not a record. Members that are records are marked as
  /// rows of the top level, other objects are read recursively, and the rest is counted as
  /// ignored.
  mutating func readRoots(
    of object: Int, _ run: inout ImportRun, _ depth: Int, _ expected: Schema.Entity?
  ) throws(JSONError) {
    for value in values(of: object) {
      switch try read(value, &run, depth, nil, expected) {
      case .one(let id): run.markRoot(id)
      case .many(let ids): for id in ids { run.markRoot(id) }
      case .text
      where tape.nodes[value].token == .beginObject && !isRecord(value, run, expected):
        try readRoots(of: value, &run, depth + 1, expected)
      case .text:
        if tape.nodes[value].token != .null { run.ignored[name(of: value), default: 0] += 1 }
      }
    }
  }

  /// Reads the value at a node.
  ///
  /// - Parameters:
  ///   - place: The ID for a record at this position that has no ID of its own; nil if none can be
  ///     derived.
  ///   - expected: The entity of objects without a type; nil if it is unknown.
  mutating func read(
    _ node: Int, _ run: inout ImportRun, _ depth: Int, _ place: SynthesizedKey?,
    _ expected: Schema.Entity?
  ) throws(JSONError) -> Value {
    guard depth < Self.maximumDepth else {
      throw reader.error(
        .tooDeep, "a response nests deeper than \(Self.maximumDepth) levels",
        at: tape.nodes[node].start)
    }
    switch tape.nodes[node].token {
    case .beginArray: return try readList(values(of: node), &run, depth, place, expected)
    case .beginObject:
      if let typeNode = member(node, "__typename"), tape.nodes[typeNode].token != .string {
        run.addMismatch(
          at: tape.nodes[typeNode].start,
          "expected a string as __typename, found \(tape.nodes[typeNode].token.kindDescription)")
        return .text
      }
      if let schema = entity(of: node, run, expected) {
        let id = id(of: node, schema)
        if id != nil || schema.hasCompositeID || schema.takesIDFromParent, !isPage(node) {
          return try readRecord(node, schema, id, &run, depth, place)
        }
      }
      return try readPage(node, &run, depth, place, expected)
    default: return .text
    }
  }

  mutating func readList(
    _ nodes: [Int], _ run: inout ImportRun, _ depth: Int, _ place: SynthesizedKey?,
    _ expected: Schema.Entity?
  ) throws(JSONError) -> Value {
    var ids: [RecordID] = []
    var others: [Int] = []
    for (position, node) in nodes.enumerated() {
      var place = place
      place?.append(step: String(position))
      if case .one(let id) = try read(node, &run, depth + 1, place, expected) {
        ids.append(id)
      } else {
        others.append(node)
      }
    }
    // If one element of the list is a record, all elements must be records. The elements of
    // `others` for which `isRecord` is true are skipped, because their problems have already been
    // reported.
    for node in others where !ids.isEmpty && !isRecord(node, run, expected) {
      let token = tape.nodes[node].token
      run.stage.problems.add(
        .typeMismatch, at: run.stage.origin(tape.nodes[node].start),
        severity: token == .null ? .warning : .error,
        "expected a record like the others in this array, found \(token.kindDescription)")
    }
    return ids.isEmpty ? .text : .many(ids)
  }
}

extension ImportRun {
  /// Reads a GraphQL response. Each object with a `__typename` and an ID is a record. Without a
  /// `__typename`, the position of an object determines its entity. At the top level, the entity is
  /// the root. In a relationship of the schema, the entity is the target.
  ///
  /// A page is an object with `nodes`, or with `edges` that each have a `node`. It is read as the
  /// list of its records. Its other members, and the members outside the data, are counted as
  /// ignored.
  mutating func readGraphQL(_ reader: inout JSONReader) throws(JSONError) {
    guard try begin(.beginObject, "a GraphQL response, which is an object", &reader) else { return }
    let before = stage.counts.read
    var errors: (offset: Int, message: String?)?
    try readMembers(&reader) { (run, name, offset, reader) throws(JSONError) in
      let token = try reader.next()
      guard name == "data" else {
        run.ignored[name, default: 0] += 1
        guard name == "errors" else { return try reader.skipValue(token) }
        errors = (offset, try run.firstMessage(token, ["message"], &reader))
        return
      }
      if token == .null { return }
      guard try run.accept(token, as: .beginObject, "an object as data", &reader) else { return }
      reader.keptFrom = reader.tokenStart
      var tape = JSONTape()
      try tape.read(token, from: &reader)
      for offset in tape.duplicates { run.addDuplicate(at: offset) }
      var walk = GraphQLWalk(tape: tape, reader: reader.reader(from: reader.tokenStart))
      walk.synthesizesIDs = run.stage.schema.entities.contains(where: \.takesIDFromParent)
      let root = run.options.root.flatMap { run.stage.schema.entity($0) }
      try walk.readRoots(of: 0, &run, 0, root)
      if run.stage.counts.read == before { walk.checkIsEmpty(run) }
      reader.keptFrom = .max
    }
    guard let errors else { return }
    if let message = errors.message, stage.counts.read == before {
      inputs[stage.file].hasErrors = true
      addMismatch(at: errors.offset, "the response has errors instead of data: \(message)")
    } else {
      stage.problems.add(
        .typeMismatch, at: stage.origin(errors.offset), severity: .warning,
        "the response has errors, so its data may be incomplete")
    }
  }

  func markRoot(_ id: RecordID) {
    let entity = stage.entity(id.entity)
    entity.markRoot(entity.position(of: id.key))
  }
}

// Responses without records.
extension GraphQLWalk {
  /// The content of a value without records. If the parts of a value have different contents, the
  /// last of these cases applies to the value.
  enum Emptiness: Comparable {
    case scalars
    case emptyList
    case emptyPage
    /// An object that may be a record, but could not be recognized as a record.
    case unread
  }

  func emptiness(of node: Int, _ depth: Int) -> Emptiness {
    let values = values(of: node)
    guard depth < Self.maximumDepth else { return .unread }
    func joined(_ nodes: [Int]) -> Emptiness {
      nodes.reduce(.scalars) { max($0, emptiness(of: $1, depth + 1)) }
    }
    switch tape.nodes[node].token {
    case .beginArray: return values.isEmpty ? .emptyList : joined(values)
    case .beginObject:
      let page = values.first {
        tape.nodes[$0].token == .beginArray && ["edges", "nodes"].contains(name(of: $0))
      }
      if let page { return emptiness(of: page, depth + 1) == .emptyList ? .emptyPage : .unread }
      let found = joined(values)
      // An object with an empty list and other values may be a record without its ID.
      let hasScalars = values.contains {
        ![.beginArray, .beginObject, .null].contains(tape.nodes[$0].token)
          && name(of: $0) != "__typename"
      }
      return found == .scalars || found == .emptyList && hasScalars ? .unread : found
    default: return .scalars
    }
  }

  /// Reports a problem if data without records contains an object that may be an unrecognized
  /// record. Empty pages and the objects around empty pages are valid.
  func checkIsEmpty(_ run: ImportRun) {
    guard values(of: 0).contains(where: { emptiness(of: $0, 0) == .unread }) else { return }
    let hasTypes = tape.nodes.contains {
      $0.token == .name && !$0.hasEscapes
        && "__typename".hasExactly(reader.bytes($0.start + 1..<$0.end - 1))
    }
    run.addMismatch(
      at: tape.nodes[0].start,
      "no object of the response has "
        + (hasTypes ? "both a __typename and an id" : "a __typename")
        + ": ask for __typename and id in every selection of the query, or name the entities with "
        + "--schema and --root")
  }
}

// The nodes of a response, and their entities.
extension GraphQLWalk {
  /// Returns the nodes of the values in an object, or of the elements of an array. In an object,
  /// the node before a value is its name.
  func values(of node: Int) -> [Int] {
    let parts = tape.parts(of: node)
    return tape.nodes[node].token == .beginObject ? parts.map { $0 + 1 } : parts
  }

  func name(of value: Int) -> String { reader.text(of: tape.nodes[value - 1]) }

  func member(_ node: Int, _ wanted: String) -> Int? {
    values(of: node).first { name(of: $0) == wanted }
  }

  /// Returns the name of a value's member, with aliases resolved.
  func name(of value: Int, _ schema: Schema.Entity) -> String {
    let name = name(of: value)
    if schema.membersByAlias.isEmpty { return name }
    return schema.membersByAlias[ExactString(name)] ?? name
  }

  /// Returns whether an object is a record, even if it could not be read.
  func isRecord(_ node: Int, _ run: ImportRun, _ expected: Schema.Entity?) -> Bool {
    guard tape.nodes[node].token == .beginObject,
      let schema = entity(of: node, run, expected)
    else { return false }
    return schema.hasCompositeID || schema.takesIDFromParent || id(of: node, schema) != nil
  }

  /// Returns the entity of an object: by its type, or else by its position.
  func entity(
    of node: Int, _ run: ImportRun, _ expected: Schema.Entity?
  ) -> Schema.Entity? {
    guard let typeNode = member(node, "__typename") else { return expected }
    guard tape.nodes[typeNode].token == .string else { return nil }
    let type = reader.text(of: tape.nodes[typeNode])
    return run.stage.schema.entity(type) ?? Schema.Entity(type)
  }

  /// Returns the entity of the objects in a member of a record, if the schema defines it.
  func target(
    _ name: String, of schema: Schema.Entity, _ run: ImportRun
  ) -> Schema.Entity? {
    guard let known = run.stage.schema.entity(schema.name)?.relationship(name),
      known.typeName == nil
    else { return nil }
    return run.stage.schema.entity(known.target)
  }

  func id(of node: Int, _ schema: Schema.Entity) -> Int? {
    values(of: node).first { name(of: $0, schema).isExactly(schema.idName) }
  }
}

// Pages of records: `edges` with a `node` each, or `nodes`.
extension GraphQLWalk {
  /// Returns whether an object without a type is a page of records and not a record.
  func isPage(_ node: Int) -> Bool {
    member(node, "__typename") == nil
      && values(of: node).contains {
        tape.nodes[$0].token == .beginArray && ["edges", "nodes"].contains(name(of: $0))
      }
  }

  /// Reads a page of records, if the object is one.
  ///
  /// Edges are records of their own if the entity that the schema expects has a relationship
  /// `node`. Otherwise, the members of an edge other than `node` are counted as ignored.
  mutating func readPage(
    _ node: Int, _ run: inout ImportRun, _ depth: Int, _ place: SynthesizedKey?,
    _ expected: Schema.Entity?
  ) throws(JSONError) -> Value {
    for value in values(of: node) where tape.nodes[value].token == .beginArray {
      let isEdges = name(of: value) == "edges"
      guard isEdges || name(of: value) == "nodes" else { continue }
      var nodes = values(of: value)
      let join = isEdges && expected?.relationship("node") != nil ? expected : nil
      if isEdges, join == nil {
        let edges = nodes.filter { tape.nodes[$0].token == .beginObject }
        for member in edges.flatMap({ values(of: $0) })
        where !["node", "__typename"].contains(name(of: member)) {
          run.ignored["edges." + name(of: member), default: 0] += 1
        }
        nodes = edges.compactMap { member($0, "node") }
      }
      for other in values(of: node) where other != value {
        run.ignored[name(of: other), default: 0] += 1
      }
      if let join { return try readEdges(nodes, of: join, &run, depth + 1, place) }
      let page = try readList(nodes, &run, depth + 1, place, expected)
      if case .text = page { return nodes.isEmpty ? .many([]) : .text }
      return page
    }
    return .text
  }

  /// Reads edges as records of the entity that joins their nodes.
  mutating func readEdges(
    _ edges: [Int], of join: Schema.Entity, _ run: inout ImportRun, _ depth: Int,
    _ place: SynthesizedKey?
  ) throws(JSONError) -> Value {
    var ids: [RecordID] = []
    for (position, edge) in edges.enumerated() where tape.nodes[edge].token == .beginObject {
      var place = place
      place?.append(step: String(position))
      let id = id(of: edge, join)
      if case .one(let id) = try readRecord(edge, join, id, &run, depth, place) {
        ids.append(id)
      }
    }
    return .many(ids)
  }
}
