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
    writer.beginObject()
    writer.name("schema")
    writer.lines(schema) { $0.write(to: &$1) }
    writer.name("entities")
    writer.beginObject()
    for table in tables {
      let variants = forms.variants(of: table.entity)
      writer.name(table.entity)
      writer.beginObject()
      writer.name("inserted")
      writer.lines(table.inserted) { forms.write($0, to: &$1) }
      writer.name("removed")
      writer.lines(table.removed) { forms.write($0, to: &$1) }
      writer.name("updated")
      writer.lines(table.updated) { write($0, variants, to: &$1) }
      writer.endObject()
    }
    writer.endObject()
    writer.name("result")
    writer.beginObject()
    for result in results {
      writer.name(result.entity)
      var line = JSONWriter(layout: .compact)
      line.beginObject()
      for (name, keys) in [("inserted", result.inserted), ("removed", result.removed)] {
        line.name(name)
        line.beginArray()
        for key in keys { line.key(key) }
        line.endArray()
      }
      if result.isReordered {
        line.name("reordered")
        line.text(JSONText(canonical: "true"))
      }
      line.endObject()
      writer.text(JSONText(canonical: String(decoding: line.bytes, as: UTF8.self)))
    }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension DatabaseDifference {
  private func write(
    _ update: Update, _ variants: [ExactString: Schema.Relationship]?, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.name("id")
    writer.key(update.id.key)
    writer.name("fields")
    writer.beginObject()
    for field in update.fields {
      writer.name(field.name)
      writer.beginObject()
      for (name, value) in [("old", field.old), ("new", field.new)] {
        guard let value else { continue }
        writer.name(name)
        forms.write(value, by: variants?[ExactString(field.name)], to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.endObject()
  }
}

extension SchemaDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    func write(_ pairs: [(String, String)], to writer: inout JSONWriter) {
      for (name, text) in pairs {
        writer.name(name)
        writer.string(text)
      }
    }
    writer.beginObject()
    switch self {
    case .entityInserted(let name):
      write([("entity", name), ("change", "inserted")], to: &writer)
    case .entityRemoved(let name):
      write([("entity", name), ("change", "removed")], to: &writer)
    case .idRenamed(let entity, let old, let new):
      write(
        [("entity", entity), ("change", "id"), ("old", old), ("new", new)], to: &writer)
    case .alias(let entity, let alias, let old, let new):
      write([("entity", entity), ("change", "alias"), ("alias", alias)], to: &writer)
      for (name, member) in [("old", old), ("new", new)] {
        writer.name(name)
        if let member { writer.string(member) } else { writer.null() }
      }
    case .relationship(let entity, let name, let old, let new):
      write(
        [("entity", entity), ("change", "relationship"), ("relationship", name)], to: &writer)
      for (name, relationship) in [("old", old), ("new", new)] {
        writer.name(name)
        guard let relationship else {
          writer.null()
          continue
        }
        relationship.write(to: &writer)
      }
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes an array, each element on its own line.
  mutating func lines<Element>(
    _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    beginArray()
    for element in elements {
      var line = JSONWriter(layout: .compact)
      write(element, &line)
      text(JSONText(canonical: String(decoding: line.bytes, as: UTF8.self)))
    }
    endArray()
  }
}
