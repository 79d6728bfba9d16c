import EntiaLaws
import EntiaRecords

/// A random graph of few rows, so that sharing and cycles are common, and each of its shapes.
///
/// Entities: `nodes` with a to-one `next`, a to-many `others` and a to-one `owner` of `people`, who
/// have a to-one `favorite` node.
struct RandomGraph {
  struct Row {
    let entity: String
    let id: String
    /// Plain members, as JSON.
    var plain: [(name: String, json: String)] = []
    /// The IDs of to-one members; nil for null.
    var one: [(name: String, to: String, id: String?)] = []
    var many: [(name: String, to: String, ids: [String])] = []
  }

  static let schema = Schema([
    Schema.Entity(
      "nodes",
      relationships: [
        Schema.Relationship("next", to: "nodes"),
        Schema.Relationship("others", to: "nodes", isMany: true),
        Schema.Relationship("owner", to: "people"),
      ]),
    Schema.Entity("people", relationships: [Schema.Relationship("favorite", to: "nodes")]),
  ])

  private(set) var rows: [Row] = []

  /// Makes a graph; a tree names every row at most once, and none that contains it.
  init(using random: inout SeededGenerator, isTree: Bool = false) {
    let nodes = (0..<Int.random(in: 1...6, using: &random)).map { "n\($0)" }
    let people = (0..<Int.random(in: 0...3, using: &random)).map { "p\($0)" }
    var free = nodes.dropFirst() + people
    func pick(_ from: [String], after index: Int) -> String? {
      guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
      if !isTree { return from.randomElement(using: &random) }
      // A row of a tree is named by one that comes before it.
      let candidates = free.filter { from.contains($0) && ($0 > "n\(index)" || $0 >= "p") }
      guard let id = candidates.randomElement(using: &random) else { return nil }
      free.removeAll { $0 == id }
      return id
    }
    let texts = [
      "1", "1.0", "-0", "1e400", "\"x\"", "\"é\\n\"", "null", "true", "[1,{\"a\":[]}]",
      "{\"k\":1,\"l\":{}}",
    ]
    for (index, id) in nodes.enumerated() {
      var row = Row(entity: "nodes", id: id)
      for name in ["a", "z", "m n"] where Bool.random(using: &random) {
        row.plain.append((name, texts.randomElement(using: &random) ?? "0"))
      }
      row.one.append(("next", "nodes", pick(nodes, after: index)))
      row.one.append(("owner", "people", pick(people, after: index)))
      let count = Int.random(in: 0...3, using: &random)
      row.many.append(
        ("others", "nodes", (0..<count).compactMap { _ in pick(nodes, after: index) }))
      rows.append(row)
    }
    for id in people {
      var row = Row(entity: "people", id: id)
      row.plain.append(("name", "\"\(id)!\""))
      row.one.append(("favorite", "nodes", isTree ? nil : pick(nodes, after: 0)))
      rows.append(row)
    }
    // The order of the input is none of the IDs.
    rows.shuffle(using: &random)
  }

  func row(_ entity: String, _ id: String) -> Row? {
    rows.first { $0.entity == entity && $0.id == id }
  }

  /// The rows that something names.
  var named: Set<String> {
    Set(rows.flatMap { row in row.one.compactMap { $0.id } + row.many.flatMap { $0.ids } })
  }
}

extension RandomGraph {
  /// A row as stored.
  func flat(_ row: Row, with id: Bool = true) -> String {
    nested(row, depth: 0, branch: [], withID: id)
  }

  /// A row with the rows it names nested in it, down to a depth, cut at a repeat on a branch.
  func nested(_ row: Row, depth: Int, branch: [String] = [], withID: Bool = true) -> String {
    func part(_ entity: String, _ id: String) -> String {
      guard depth > 0, !branch.contains(id), id != row.id, let target = self.row(entity, id) else {
        return "\"\(id)\""
      }
      return nested(target, depth: depth - 1, branch: branch + [row.id])
    }
    var members = withID ? ["\"id\":\"\(row.id)\""] : []
    members += row.plain.map { "\"\($0.name)\":\($0.json)" }
    members += row.one.map { one in "\"\(one.name)\":" + (one.id.map { part(one.to, $0) } ?? "null")
    }
    members += row.many.map { many in
      "\"\(many.name)\":[" + many.ids.map { part(many.to, $0) }.joined(separator: ",") + "]"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// All nodes as an array, each with what it names nested in it.
  func nestedArray(depth: Int) -> String {
    "[" + nestedRecords(depth: depth).joined(separator: ",") + "]"
  }

  func nestedRecords(depth: Int) -> [String] {
    rows.filter { $0.entity == "nodes" }.map { nested($0, depth: depth) }
  }

  /// Both tables, as objects or arrays.
  func tables(asObjects: Bool) -> String {
    let tables = ["nodes", "people"].map { entity in
      let rows = rows.filter { $0.entity == entity }
      let list = rows.map { asObjects ? "\"\($0.id)\":" + flat($0) : flat($0) }
        .joined(separator: ",")
      return "\"\(entity)\":" + (asObjects ? "{\(list)}" : "[\(list)]")
    }
    return "{" + tables.joined(separator: ",") + "}"
  }

  var django: String {
    let rows = rows.map {
      "{\"model\":\"app.\($0.entity)\",\"pk\":\"\($0.id)\",\"fields\":\(flat($0, with: false))}"
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  /// A JSON:API document: nodes are its data, people are included.
  var jsonAPI: String {
    func resources(_ entity: String) -> String {
      let texts = rows.filter { $0.entity == entity }.map { row in
        // As Rails writes it, the ID is an attribute too.
        let plain = (row.plain.isEmpty ? [] : [("id", "\"\(row.id)\"")]) + row.plain
        let attributes = plain.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        func identifier(_ type: String, _ id: String) -> String {
          "{\"type\":\"\(type)\",\"id\":\"\(id)\"}"
        }
        let one = row.one.map { one in
          "\"\(one.name)\":{\"data\":" + (one.id.map { identifier(one.to, $0) } ?? "null") + "}"
        }
        let many = row.many.map { many in
          let list = many.ids.map { identifier(many.to, $0) }.joined(separator: ",")
          return "\"\(many.name)\":{\"data\":[\(list)]}"
        }
        return "{\"type\":\"\(entity)\",\"id\":\"\(row.id)\",\"attributes\":{\(attributes)},"
          + "\"relationships\":{" + (one + many).joined(separator: ",") + "}}"
      }
      return "[" + texts.joined(separator: ",") + "]"
    }
    return "{\"data\":\(resources("nodes")),\"included\":\(resources("people"))}"
  }

  /// All nodes as a GraphQL response, each with what it names nested in it as a record of its ID.
  var graphQL: String {
    func stub(_ entity: String, _ id: String) -> String {
      "{\"__typename\":\"\(entity)\",\"id\":\"\(id)\"}"
    }
    func whole(_ row: Row) -> String {
      var members = ["\"__typename\":\"\(row.entity)\"", "\"id\":\"\(row.id)\""]
      members += row.plain.map { "\"\($0.name)\":\($0.json)" }
      members += row.one.map { one in
        "\"\(one.name)\":" + (one.id.map { stub(one.to, $0) } ?? "null")
      }
      members += row.many.map { many in
        let edges = many.ids.map { "{\"node\":" + stub(many.to, $0) + "}" }
        return "\"\(many.name)\":{\"edges\":[" + edges.joined(separator: ",") + "]}"
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "{\"data\":{\"all\":[" + rows.map(whole).joined(separator: ",") + "]}}"
  }
}
