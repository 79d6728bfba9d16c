import EntiaJSON
import EntiaRecords

/// The rows of a database with numbers: those of the first table first, each table sorted by ID.
struct PageContent {
  /// One table, and the number of its first row.
  struct Table {
    let entity: Schema.Entity
    let rows: [Record]
    let start: Int
  }

  let tables: [Table]
  private let schema: Schema
  private let texts: ReferenceTexts
  private let results: [(entity: String, keys: [RecordKey])]
  private let numbers: [RecordID: Int]
  /// The first relationship of each table, in order of the tables.
  private let firstRelationship: [Int]

  init(_ database: RecordDatabase) {
    schema = database.schema
    texts = ReferenceTexts(schema)
    results = database.result
    var tables: [Table] = []
    var numbers: [RecordID: Int] = [:]
    var firstRelationship = [0]
    numbers.reserveCapacity(database.count)
    for (entity, rows) in database.tables() {
      tables.append(Table(entity: entity, rows: rows, start: numbers.count))
      for row in rows { numbers[row.id] = numbers.count }
      firstRelationship.append(firstRelationship.last.map { $0 + entity.relationships.count } ?? 0)
    }
    self.tables = tables
    self.numbers = numbers
    self.firstRelationship = firstRelationship
  }

  /// Returns the number of a row, or `nil` if it does not exist.
  func number(of id: RecordID) -> Int? { numbers[id] }

  /// Returns the index of a table, or `nil` if the schema does not have it.
  func index(of entity: String) -> Int? {
    let entity = ExactString(entity)
    return tables.firstIndex { ExactString($0.entity.name) == entity }
  }

  // MARK: Rows

  /// Writes the rows of a table as lines of JSON, and the targets of each of its relationships.
  func writeRows<Failure: Error>(
    of index: Int, to put: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let table = tables[index]
    let relationships = table.entity.relationships
    var places: [ExactString: Int] = [:]
    for (place, relationship) in relationships.enumerated() {
      places[ExactString(relationship.name)] = place
    }
    var links = relationships.map { _ in [UInt8(ascii: "[")] }
    for start in stride(from: 0, to: table.rows.count, by: ExplorePage.chunkSize) {
      var lines: [UInt8] = []
      for row in table.rows[start..<min(start + ExplorePage.chunkSize, table.rows.count)] {
        let members = row.members
        lines += Self.line(row.id.key, members, table.entity, texts)
        var found = [RecordValue?](repeating: nil, count: relationships.count)
        for (name, value) in members {
          if relationships.isEmpty { break }
          if let place = places[ExactString(name)] { found[place] = value }
        }
        for (place, value) in found.enumerated() {
          if links[place].count > 1 { links[place].append(UInt8(ascii: ",")) }
          links[place] += Array(targets(of: value).utf8)
        }
      }
      let id = "rows-\(index)-\(start / ExplorePage.chunkSize)"
      try put(ExplorePage.element(id, "x-ndjson", lines))
    }
    for (place, link) in links.enumerated() {
      try put(
        ExplorePage.element(
          "links-\(firstRelationship[index] + place)", "json", link + [UInt8(ascii: "]")]))
    }
  }

  /// Returns the numbers of the rows that a member refers to: -1 for a row that does not exist.
  private func targets(of value: RecordValue?) -> String {
    switch value {
    case nil, .plain: return "null"
    case .reference(let id): return "\(numbers[id] ?? -1)"
    case .references(let ids):
      return "[" + ids.map { "\(numbers[$0] ?? -1)" }.joined(separator: ",") + "]"
    }
  }

  /// Returns a row as a line: an array of the ID and an object of the members.
  static func line(
    _ key: RecordKey, _ members: [(name: String, value: RecordValue)], _ entity: Schema.Entity?,
    _ texts: ReferenceTexts
  ) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.beginArray()
    writer.key(key)
    write(members, entity, texts, to: &writer)
    writer.endArray()
    writer.endLine()
    return writer.bytes
  }

  /// Writes members as an object, with references as the database's file has them.
  static func write(
    _ members: [(name: String, value: RecordValue)], _ entity: Schema.Entity?,
    _ texts: ReferenceTexts, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    for (name, value) in members {
      writer.name(name)
      if case .plain(let text) = value {
        writer.text(text)
      } else {
        texts.write(value, by: entity?.relationship(name), to: &writer)
      }
    }
    writer.endObject()
  }

  // MARK: Metadata

  /// Writes the tables and the relationships.
  func writeSchema(_ rules: PageRules, to writer: inout JSONWriter) {
    var results: [ExactString: [RecordKey]] = [:]
    for (entity, keys) in self.results { results[ExactString(entity)] = keys }
    writer.array("tables", tables) { table, writer in
      writer.object { writer in
        let name = table.entity.name
        writer.member("name", name)
        writer.array("id", table.entity.idNames) { $1.string($0) }
        writer.members([("rows", table.rows.count)])
        writer.array("members", Self.memberNames(of: table)) { $1.string($0) }
        let keys = results[ExactString(name)] ?? []
        let rows = keys.compactMap { number(of: RecordID(entity: name, key: $0)) }
        writer.array("results", rows) { $1.integer($0) }
      }
    }
    let relationships = tables.indices.flatMap { index in
      tables[index].entity.relationships.map { (index, $0) }
    }
    writer.array("relationships", relationships) { relationship, writer in
      self.write(relationship.1, of: relationship.0, rules, to: &writer)
    }
  }

  private func write(
    _ relationship: Schema.Relationship, of index: Int, _ rules: PageRules,
    to writer: inout JSONWriter
  ) {
    let entity = tables[index].entity
    let rule = rules.rule(of: relationship.name, in: entity.name)
    let name = ExactString(relationship.name)
    writer.object { writer in
      writer.members([("holder", index)])
      writer.member("name", relationship.name)
      writer.array("targets", relationship.targets.compactMap(self.index(of:))) { $1.integer($0) }
      writer.member("many", relationship.isMany)
      writer.member("onDelete", rule.onDelete.pageName)
      writer.member("deniesHolder", rule.deniesHolder)
      writer.member("cascadesToTargets", rule.cascadesToTargets)
      writer.member(
        "partOfID",
        entity.hasCompositeID && entity.idNames.contains { ExactString($0) == name })
    }
  }

  /// Returns the names of the members of any row, in the order of the rows.
  private static func memberNames(of table: Table) -> [String] {
    MemberOrder(table.rows).names.map(\.string)
  }

  /// Writes the counts of a database, by which the page checks its own, and its chains and cycles.
  func write(_ statistics: DatabaseStatistics, to writer: inout JSONWriter) {
    writer.object("statistics") { writer in
      writer.array("tables", statistics.tables) { table, writer in
        writer.object { writer in
          writer.members([("unreferenced", table.unreferenced)])
          writer.array("chain", table.deepestChain?.steps ?? []) { step, writer in
            writer.array([self.number(of: step.id) ?? -1, step.cycleRows]) { $1.integer($0) }
          }
        }
      }
      writer.array("relationships", statistics.relationships) { relationship, writer in
        writer.object { writer in
          writer.members([
            ("references", relationship.references), ("holders", relationship.holders),
            ("dangling", relationship.dangling),
            ("fanOut", relationship.largestFanOut?.count ?? 0),
            ("fanIn", relationship.largestFanIn?.count ?? 0),
          ])
        }
      }
      writer.object("cycles") { writer in
        let cycles = statistics.cycles
        writer.members([
          ("count", cycles.count), ("rows", cycles.rows), ("largest", cycles.largestRows),
          ("example", cycles.example.flatMap(self.number(of:)) ?? -1),
        ])
      }
    }
  }
}
