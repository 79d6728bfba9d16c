import EntiaCoding

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
  /// Long values are shortened to the part that differs; ``json()`` has the full values.
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
      count == 0 ? "no differences" : count == 1 ? "1 difference" : "\(count) differences")
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
        let texts = [field.old, field.new].map { value in
          value.map { value in
            JSONWriter.text { forms.write(value, by: relationship, to: &$0) }.text
          }
        }
        let (old, new) = Self.shortened(texts[0], texts[1])
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

  /// Returns both texts; of long texts, the part around the first difference.
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
  public var count: Int { inserted.count + removed.count + updated.count }
}
