/// JSON of tables whose names, IDs and values are hard to store.
package enum HostileTables {
  private static let names = [
    "name", "Name", "NAME", "e\u{301}", "é", "select", "a\"b", "a'b", "a b", "😀", "", "nul\u{0}x",
    "entia_order", "entia_id", "entia_row", "sqlite_x", "^Up", "entia_name_x", "rowid", "id2",
  ]
  private static let values = [
    "null", "true", "false", "0", "1", "-0", "-0.0", "0.0", "1.0", "1.50", "19.90", "1e3", "1E+3",
    "1e400", "-1e-400", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "18446744073709551616", "123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "\"\"", "\"text\"", "\"1\"", "\"[1]\"", "\"{\\\"a\\\":1}\"", "\" [\"", "\"[\"",
    "\"entia:null\"",
    "\"\\u0000\"", "\"e\u{301}\"", "\"é\"", "\"😀\"", "\"text:x\"", "[]", "{}",
    "[1,[2,{\"a\":null}]]",
    "{\"b\":1.50,\"a\":[true]}", "\"$NaN\"",
  ]
  private static let ids = [
    "1", "2", "-5", "9223372036854775808", "1.5", "\"a\"", "\"b/c\"", "\"[1]\"", "\"A\"", "\"é\"",
    "\"e\u{301}\"", "\"\"", "\"😀\"", "\"x\\u0000y\"", "7.50", "1e9",
  ]

  /// Returns the JSON of tables with any rows. It may contain two spellings of one ID, which an
  /// import refuses.
  package static func json(
    using random: inout some RandomNumberGenerator
  ) -> String {
    func quoted(_ name: String) -> String {
      let escaped = name.unicodeScalars.map { scalar in
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\0": "\\u0000"
        default: String(scalar)
        }
      }
      return "\"\(escaped.joined())\""
    }
    var entities: [String] = []
    var schemas: [String] = []
    let tables = names.shuffled(using: &random).prefix(3)
    for name in tables {
      let idName = ["id", "key", "rawID", "Name\""].randomElement(using: &random) ?? "id"
      let to = tables.randomElement(using: &random) ?? name
      schemas.append(
        """
        \(quoted(name)): {"id": \(quoted(idName)), "relationships": {"one": \(quoted(to)), \
        "many": [\(quoted(to))], "either": {"to": {"x": \(quoted(to)), "y": \(quoted(name))}}}}
        """)
      let members = names.filter { $0 != idName }.shuffled(using: &random).prefix(3)
      // Some columns have values of one kind only.
      let pools = members.map { _ in
        [values, ["true", "false", "null"], values.filter { $0.hasPrefix("\"") }]
          .randomElement(using: &random) ?? values
      }
      var rows: [String] = []
      let isNumeric = Bool.random(using: &random)
      let ids = ids.filter { !isNumeric || Int($0) != nil }
      for id in ids.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)) {
        var parts = ["\(quoted(idName)): \(id)"]
        for (member, pool) in zip(members, pools) where Int.random(in: 0..<4, using: &random) > 0 {
          parts.append("\(quoted(member)): \(pool.randomElement(using: &random) ?? "null")")
        }
        if Bool.random(using: &random) {
          parts.append("\"one\": \(Self.ids.randomElement(using: &random) ?? "1")")
          parts.append(
            "\"many\": [\(Self.ids.shuffled(using: &random).prefix(2).joined(separator: ","))]")
        }
        rows.append("{\(parts.joined(separator: ", "))}")
      }
      entities.append("\(quoted(name)): [\(rows.joined(separator: ", "))]")
    }
    return """
      {"schema": {"entities": {\(schemas.joined(separator: ", "))}}, \
      "entities": {\(entities.joined(separator: ", "))}, "result": {}}
      """
  }
}
