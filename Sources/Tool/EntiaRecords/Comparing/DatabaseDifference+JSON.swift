import EntiaCoding

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
  /// A member that only one of the two rows has lacks `old` or `new`. A result with a different
  /// order has `"reordered":true`.
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
