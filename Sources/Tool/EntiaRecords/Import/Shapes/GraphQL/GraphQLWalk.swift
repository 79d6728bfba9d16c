import EntiaCoding
import EntiaJSON

/// Traverses the data of a response.
struct GraphQLWalk {
  /// The maximum nesting depth of a response: each level uses stack.
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
  ///   - place: The ID of a record at this position without an ID of its own; nil if there is
  ///     none.
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
    // Either all elements of a list are records, or none. A refused record has already been
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
