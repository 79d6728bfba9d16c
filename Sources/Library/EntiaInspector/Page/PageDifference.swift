import EntiaJSON
import EntiaRecords

/// The difference between the database on a page and an older one.
struct PageDifference {
  private let difference: DatabaseDifference
  private let content: PageContent
  private let oldSchema: Schema
  private let texts: ReferenceTexts

  init(_ difference: DatabaseDifference, old: RecordDatabase, _ content: PageContent) {
    self.difference = difference
    self.content = content
    oldSchema = old.schema
    texts = ReferenceTexts(old.schema)
  }

  /// Writes the differences between the schemas and the results, and the rows that were inserted.
  func writeSummary(to writer: inout JSONWriter) {
    writer.array("schema", difference.schema) { $1.string($0.description) }
    writer.array("tables", difference.tables) { table, writer in
      writer.object { writer in
        writer.member("name", table.entity)
        writer.members([("table", content.index(of: table.entity) ?? -1)])
        let inserted = table.inserted.compactMap { content.number(of: $0.id) }
        writer.array("inserted", inserted) { $1.integer($0) }
      }
    }
    writer.array("results", difference.results) { result, writer in
      writer.object { writer in
        writer.member("name", result.entity)
        writer.members([
          ("inserted", result.inserted.count), ("removed", result.removed.count),
        ])
        writer.member("reordered", result.isReordered)
      }
    }
  }

  /// Writes the rows that were removed, and the old members of the rows that were updated.
  func write<Failure: Error>(to put: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
    for (index, table) in difference.tables.enumerated() {
      let entity = oldSchema.entity(table.entity)
      let removed = table.removed.flatMap {
        PageContent.line($0.id.key, $0.members, entity, texts)
      }
      let updated = table.updated.flatMap { line($0, entity) }
      try put(ExplorePage.element("removed-\(index)", "x-ndjson", removed))
      try put(ExplorePage.element("updated-\(index)", "x-ndjson", updated))
    }
  }

  /// Returns an updated row as a line: its number, the names of the members that differ, and an
  /// object of those that the old row has.
  private func line(_ update: DatabaseDifference.Update, _ entity: Schema.Entity?) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.beginArray()
    writer.integer(content.number(of: update.id) ?? -1)
    writer.array(update.fields) { $1.string($0.name) }
    let old = update.fields.compactMap { field in field.old.map { (name: field.name, value: $0) } }
    PageContent.write(old, entity, texts, to: &writer)
    writer.endArray()
    writer.endLine()
    return writer.bytes
  }
}
