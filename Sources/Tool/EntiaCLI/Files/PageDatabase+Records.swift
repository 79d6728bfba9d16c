import EntiaCoding
import EntiaDatabase
import EntiaExplorer
import EntiaRecords

/// The rows of a database with their numbers on a page. The tables follow one another, each sorted
/// by ID.
struct NumberedRecords {
  private let schema: Schema
  private let forms: ReferenceForms
  private let tables: [(entity: Schema.Entity, rows: [Record])]
  private let results: [ExactString: [RecordKey]]
  private let numbers: [RecordID: Int]

  /// Numbers the rows of a database.
  ///
  /// - Complexity: O(rows), plus sorting.
  init(_ database: RecordDatabase) {
    schema = database.schema
    forms = ReferenceForms(schema.entities)
    tables = database.tables().map { (entity: $0.0, rows: $0.1) }
    results = Dictionary(
      uniqueKeysWithValues: database.result.map { (ExactString($0.entity), $0.keys) })
    var numbers: [RecordID: Int] = [:]
    numbers.reserveCapacity(database.count)
    for table in tables {
      for row in table.rows { numbers[row.id] = numbers.count }
    }
    self.numbers = numbers
  }

  /// Returns the number of a row: negative for a row that does not exist.
  private func number(of id: RecordID) -> Int { numbers[id] ?? -1 }

  /// Returns the index of a table, or `nil` if the schema does not have it.
  private func index(of entity: String) -> Int? {
    let entity = ExactString(entity)
    return tables.firstIndex { ExactString($0.entity.name) == entity }
  }

  /// Returns the database for a page.
  ///
  /// - Parameter rules: The delete rules of the file's foreign keys; `nil` to show the rules of
  ///   `entia delete`.
  func page(rules: [ForeignDeleteRule]?) -> PageDatabase {
    PageDatabase(
      tables.map { entity, rows in
        var table = PageDatabase.Table(
          name: entity.name, idNames: entity.idNames,
          memberNames: MemberOrder(rows).names.map(\.string), rowCount: rows.count,
          line: { Self.line(rows[$0], entity, forms) },
          targets: { targets(of: rows[$0], by: entity.relationships) })
        table.results = (results[ExactString(entity.name)] ?? [])
          .compactMap { numbers[RecordID(entity: entity.name, key: $0)] }
        table.relationships = entity.relationships.map { relationship in
          var shown = PageDatabase.Relationship(
            relationship.name, to: relationship.targets.compactMap(index(of:)),
            isMany: relationship.isMany)
          if let rule = rules?.first(where: {
            $0.entity == entity.name && $0.member == relationship.name
          }) {
            shown.rule = PageDatabase.DeleteRule(
              onDelete: rule.onDelete, deniesHolder: rule.deniesHolder)
          }
          let name = ExactString(relationship.name)
          shown.isPartOfID =
            entity.hasCompositeID && entity.idNames.contains { ExactString($0) == name }
          return shown
        }
        return table
      }, rules: rules == nil ? .tool : .file)
  }

  private func targets(
    of row: Record, by relationships: [Schema.Relationship]
  ) -> [PageDatabase.Targets] {
    if relationships.isEmpty { return [] }
    let members = row.members
    return relationships.map { relationship in
      let name = ExactString(relationship.name)
      switch members.first(where: { ExactString($0.name) == name })?.value {
      case nil, .plain: return .none
      case .reference(let id): return .one(number(of: id))
      case .references(let ids): return .many(ids.map(number(of:)))
      }
    }
  }

  private static func line(
    _ row: Record, _ entity: Schema.Entity?, _ forms: ReferenceForms
  ) -> [UInt8] {
    PageDatabase.line(
      key: { $0.key(row.id.key) }, members: { write(row.members, entity, forms, to: &$0) })
  }

  /// Writes members. Their references have the form that they have in the file of the database.
  private static func write(
    _ members: [(name: String, value: RecordValue)], _ entity: Schema.Entity?,
    _ forms: ReferenceForms, to writer: inout JSONWriter
  ) {
    for (name, value) in members {
      writer.name(name)
      forms.write(value, by: entity?.relationship(name), to: &writer)
    }
  }

  /// Returns the difference from an older database for a page.
  ///
  /// - Parameters:
  ///   - difference: The difference between the databases.
  ///   - old: The older database.
  ///   - name: The name of its file.
  func page(
    _ difference: DatabaseDifference, from old: RecordDatabase, named name: String
  ) -> PageDifference {
    let forms = ReferenceForms(old.schema.entities)
    return PageDifference(
      from: name, schema: difference.schema.map(\.description),
      tables: difference.tables.map { table in
        let entity = old.schema.entity(table.entity)
        return (
          name: table.entity, index: index(of: table.entity),
          inserted: table.inserted.compactMap { numbers[$0.id] },
          removed: table.removed.flatMap { Self.line($0, entity, forms) },
          updated: table.updated.flatMap { update in
            PageDifference.line(row: number(of: update.id), names: update.fields.map(\.name)) {
              let fields = update.fields.compactMap { field in
                field.old.map { (name: field.name, value: $0) }
              }
              Self.write(fields, entity, forms, to: &$0)
            }
          }
        )
      },
      results: difference.results.map { result in
        (
          name: result.entity, insertedCount: result.inserted.count,
          removedCount: result.removed.count, isReordered: result.isReordered
        )
      })
  }
}
