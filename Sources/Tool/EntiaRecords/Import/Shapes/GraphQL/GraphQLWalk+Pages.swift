import EntiaCoding

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
  /// `node`. The other members of other edges are counted as ignored.
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
