import EntiaCoding
import EntiaDatabase

/// The difference between two databases: schema, rows and result, in a fixed order.
public struct DatabaseDifference: Equatable, Sendable {
  /// The rows of one entity that differ between the databases.
  package struct Table: Equatable, Sendable {
    /// The entity.
    package let entity: String
    /// The rows that only the new database has, sorted by ID.
    package internal(set) var inserted: [Record] = []
    /// The rows that only the old database has, sorted by ID.
    package internal(set) var removed: [Record] = []
    /// The rows that both databases have with different members, sorted by ID.
    package internal(set) var updated: [Update] = []
  }

  /// A row that both databases have, with different members.
  package struct Update: Hashable, Sendable {
    /// The ID of the row.
    package let id: RecordID
    /// The members that differ, sorted by the UTF-8 bytes of their names.
    package let fields: [Field]
  }

  /// A member whose value differs.
  package struct Field: Hashable, Sendable {
    /// The name of the member.
    package let name: String
    /// The old value, or nil if the old row has no such member.
    package let old: RecordValue?
    /// The new value, or nil if the new row has no such member.
    package let new: RecordValue?
  }

  /// The difference between the results of one entity.
  package struct Result: Hashable, Sendable {
    /// The entity.
    package let entity: String
    /// The IDs that only the new database has in its result, in the order of the result.
    package let inserted: [RecordKey]
    /// The IDs that only the old database has in its result, in the order of the result.
    package let removed: [RecordKey]
    /// Whether the common IDs of both results have a different order.
    package let isReordered: Bool
  }

  /// The differences between the schemas, sorted by name.
  package let schema: [SchemaDifference]
  /// The entities whose rows differ, sorted by name.
  package let tables: [Table]
  /// The entities whose results differ, sorted by name.
  package let results: [Result]
  /// The written forms of rows. If both schemas have an entity, the new schema determines the form.
  let forms: ReferenceForms

  /// Whether the databases are equal.
  public var isEmpty: Bool { schema.isEmpty && tables.isEmpty && results.isEmpty }
}

extension RecordDatabase {
  /// Returns the difference between an older database and this one.
  ///
  /// - Returns: The difference, which is empty if and only if the databases are equal.
  /// - Complexity: O(rows), plus sorting of the differences.
  public func difference(from old: RecordDatabase) -> DatabaseDifference {
    let changes = storage.changes(since: old.storage).changes(of: Record.self)
    var tables: [ExactString: DatabaseDifference.Table] = [:]
    func change(_ id: RecordID, _ body: (inout DatabaseDifference.Table) -> Void) {
      body(&tables[ExactString(id.entity), default: DatabaseDifference.Table(entity: id.entity)])
    }
    for record in changes.inserted.sorted(byKey: \.id.key) {
      change(record.id) { $0.inserted.append(record) }
    }
    for record in changes.removed.sorted(byKey: \.id.key) {
      change(record.id) { $0.removed.append(record) }
    }
    for update in changes.updated.sorted(byKey: \.new.id.key) {
      change(update.new.id) { $0.updated.append(Self.update(update.old, update.new)) }
    }
    return DatabaseDifference(
      schema: schema.difference(from: old.schema),
      tables: tables.sorted { $0.key < $1.key }.map(\.value),
      results: resultDifference(from: old),
      forms: ReferenceForms(old.schema.entities + schema.entities))
  }

  private static func update(_ old: Record, _ new: Record) -> DatabaseDifference.Update {
    let fields = old.differences(to: new).map { name, old, new in
      DatabaseDifference.Field(name: name.string, old: old, new: new)
    }
    return DatabaseDifference.Update(id: new.id, fields: fields)
  }

  private func resultDifference(from old: RecordDatabase) -> [DatabaseDifference.Result] {
    let entities = Set(old.resultKeys.keys).union(resultKeys.keys).sorted()
    return entities.compactMap { entity in
      let (before, after) = (old.resultKeys[entity] ?? [], resultKeys[entity] ?? [])
      let (known, kept) = (Set(before), Set(after))
      let inserted = after.filter { !known.contains($0) }
      let removed = before.filter { !kept.contains($0) }
      let isReordered = before.filter(kept.contains) != after.filter(known.contains)
      if inserted.isEmpty, removed.isEmpty, !isReordered { return nil }
      return DatabaseDifference.Result(
        entity: entity.string, inserted: inserted, removed: removed, isReordered: isReordered)
    }
  }
}

extension DatabaseDifference {
  /// Returns the difference as JSON, with a final newline. Equal differences have equal bytes.
  ///
  /// ```json
  /// {
  ///   "schema": [{"entity":"tags","change":"inserted"}],
  ///   "entities": {
  ///     "authors": {
  ///       "inserted": [{"id":"a5","name":"Ada"}],
  ///       "removed": [],
  ///       "updated": [{"id":"a1","fields":{"name":{"old":"Mary","new":"Mary Anning"}}}]
  ///     }
  ///   },
  ///   "result": {
  ///     "posts": {"inserted":["p7"],"removed":[]}
  ///   }
  /// }
  /// ```
  ///
  /// If only the new row has a member, `old` is left out; if only the old row has it, `new` is left
  /// out. A result with a different order has `"reordered":true`.
  ///
  /// - Complexity: O(size of the difference).
  public func json() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 4))
    writer.object { writer in
      writer.array("schema", schema) { difference, writer in
        writer.line { difference.write(to: &$0) }
      }
      writer.object("entities") { writer in
        for table in tables { writer.object(table.entity) { write(table, to: &$0) } }
      }
      writer.object("result") { writer in
        for result in results {
          writer.name(result.entity)
          writer.line { result.write(to: &$0) }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }

  private func write(_ table: Table, to writer: inout JSONWriter) {
    for (name, rows) in [("inserted", table.inserted), ("removed", table.removed)] {
      writer.array(name, rows) { row, writer in
        writer.line { forms.write(row, to: &$0) }
      }
    }
    let variants = forms.variants(of: table.entity)
    writer.array("updated", table.updated) { update, writer in
      writer.line { write(update, variants, to: &$0) }
    }
  }

  private func write(
    _ update: Update, _ variants: [ExactString: Schema.Relationship]?, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.name("id")
      writer.key(update.id.key)
      writer.object("fields") { writer in
        for field in update.fields {
          writer.object(field.name) { writer in
            for (name, value) in [("old", field.old), ("new", field.new)] {
              guard let value else { continue }
              writer.name(name)
              forms.write(value, by: variants?[ExactString(field.name)], to: &writer)
            }
          }
        }
      }
    }
  }
}

extension DatabaseDifference.Result {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("inserted", inserted) { $1.key($0) }
      writer.array("removed", removed) { $1.key($0) }
      if isReordered { writer.member("reordered", true) }
    }
  }
}

extension SchemaDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .entityInserted(let name): writer.members(["entity": name, "change": "inserted"])
      case .entityRemoved(let name): writer.members(["entity": name, "change": "removed"])
      case .idRenamed(let entity, let old, let new):
        writer.members(["entity": entity, "change": "id", "old": old, "new": new])
      case .alias(let entity, let alias, let old, let new):
        writer.members(["entity": entity, "change": "alias", "alias": alias])
        writer.member("old", old)
        writer.member("new", new)
      case .relationship(let entity, let name, let old, let new):
        writer.members(["entity": entity, "change": "relationship", "relationship": name])
        for (name, relationship) in [("old", old), ("new", new)] {
          writer.name(name)
          if let relationship { relationship.write(to: &writer) } else { writer.null() }
        }
      }
    }
  }
}

extension DatabaseDifference {
  /// Returns the difference as readable text, with a final newline. Equal differences have equal
  /// text.
  ///
  /// ```
  /// authors: 1 inserted, 1 updated
  ///   + "a5" {"id":"a5","name":"Ada"}
  ///   ~ "a1"
  ///       name: "Mary" -> "Mary Anning"
  /// 2 differences
  /// ```
  ///
  /// Long values are shortened to their different parts; ``json()`` has the full values.
  ///
  /// - Complexity: O(size of the difference).
  public func text() -> String {
    var lines: [String] = []
    if !schema.isEmpty {
      lines.append("schema: \(schema.count) changed")
      lines += schema.map { "  \($0)" }
    }
    for table in tables { lines += text(of: table) }
    for result in results {
      lines.append(
        "result of \(result.entity.excerpt()): "
          + ([Self.counts(result.inserted.count, result.removed.count, 0)]
          + (result.isReordered ? ["in another order"] : [])).filter { !$0.isEmpty }
          .joined(separator: ", "))
      lines += result.inserted.map { "  + \($0)" } + result.removed.map { "  - \($0)" }
    }
    let count =
      schema.count + tables.reduce(0) { $0 + $1.count }
      + results.reduce(0) { $0 + $1.inserted.count + $1.removed.count + ($1.isReordered ? 1 : 0) }
    lines.append(
      count == 0 ? "no differences" : count.counted("difference"))
    return lines.map { $0 + "\n" }.joined()
  }

  private func text(of table: Table) -> [String] {
    var lines = [
      "\(table.entity.excerpt()): "
        + Self.counts(table.inserted.count, table.removed.count, table.updated.count)
    ]
    for (mark, rows) in [("+", table.inserted), ("-", table.removed)] {
      for row in rows {
        let content = JSONWriter.text { forms.write(row, to: &$0) }.text
        lines.append("  \(mark) \(row.id.key) \(content.excerpt(Self.longText))")
      }
    }
    let variants = forms.variants(of: table.entity)
    for update in table.updated {
      lines.append("  ~ \(update.id.key)")
      for field in update.fields {
        let relationship = variants?[ExactString(field.name)]
        let (old, new) = Self.shortened(
          field.old.map { forms.text(of: $0, by: relationship) },
          field.new.map { forms.text(of: $0, by: relationship) })
        lines.append("      \(field.name.excerpt()): \(old) -> \(new)")
      }
    }
    return lines
  }

  private static func counts(_ inserted: Int, _ removed: Int, _ updated: Int) -> String {
    [(inserted, "inserted"), (removed, "removed"), (updated, "updated")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static let longText = 160

  /// Returns both texts, or their parts around the first difference if a text is long.
  private static func shortened(_ old: String?, _ new: String?) -> (old: String, new: String) {
    guard let old, let new, max(old.utf8.count, new.utf8.count) > longText else {
      return (old?.excerpt(longText) ?? "(none)", new?.excerpt(longText) ?? "(none)")
    }
    let common = zip(old, new).prefix { $0 == $1 }.count
    func part(_ text: String) -> String {
      let skipped = max(0, common - 30)
      return (skipped > 0 ? "…" : "") + String(text.dropFirst(skipped)).excerpt(longText / 2)
    }
    return (part(old), part(new))
  }
}

extension DatabaseDifference.Table {
  /// The number of rows that differ.
  package var count: Int { inserted.count + removed.count + updated.count }
}
