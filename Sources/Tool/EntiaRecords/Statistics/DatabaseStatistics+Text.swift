import EntiaCoding

extension DatabaseStatistics {
  /// Returns the statistics as readable text, with a final newline. Equal statistics have equal
  /// text.
  ///
  /// - Complexity: O(size of the statistics). Of long chains only the ends are shown.
  public func text() -> String {
    let parts = [rowLines, referenceLines, orphanLines, chainLines, cycleLines]
    return parts.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private var rowLines: [String] {
    let width = tables.map { String($0.rows).count }.max() ?? 0
    return ["rows: \(rows)"]
      + tables.map { table in
        let count = String(table.rows)
        let pad = String(repeating: " ", count: width - count.count)
        let results = table.results > 0 ? ", \(table.results) of them results" : ""
        return "  \(pad)\(count) \(table.entity.excerpt())\(results)"
      }
  }

  private var referenceLines: [String] {
    var lines = ["references: \(references)"]
    for relationship in relationships {
      let kind = relationship.isMany ? ", to many" : ""
      lines.append(
        "  \(relationship.label) -> \(relationship.target.excerpt())\(kind): "
          + "\(relationship.references) in \(Self.count(relationship.holders, "row"))")
      if let fan = relationship.largestFanOut, relationship.isMany {
        lines.append("    most in one row: \(fan.count), in \(fan.id)")
      }
      if let fan = relationship.largestFanIn {
        lines.append("    most to one row: \(fan.count), to \(fan.id)")
      }
    }
    return lines
  }

  private var orphanLines: [String] {
    var lines = ["orphans:"]
    lines.append(
      dangling == 0
        ? "  no reference dangles" : "  \(dangling) dangling, to rows that do not exist")
    for relationship in relationships where relationship.dangling > 0 {
      lines.append("    \(relationship.dangling) of \(relationship.label)")
    }
    lines.append(
      unreferenced == 0
        ? "  no row is unreferenced"
        : "  \(unreferenced) unreferenced: no results, and no other row refers to them")
    for table in tables where table.unreferenced > 0 {
      lines.append("    \(table.unreferenced) of \(table.entity.excerpt())")
    }
    return lines
  }

  private var chainLines: [String] {
    ["deepest chains:"]
      + tables.compactMap { table in
        table.deepestChain.map {
          "  from \(table.entity.excerpt()): \(Self.count($0.length, "reference")): \($0.text)"
        }
      }
  }

  private var cycleLines: [String] {
    guard let example = cycles.example else { return ["cycles: none"] }
    return [
      "cycles: \(cycles.count), with \(Self.count(cycles.rows, "row"))",
      "  largest: \(Self.count(cycles.largestRows, "row")), with \(example)",
    ]
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension DatabaseStatistics.Relationship {
  /// The description of the relationship in texts.
  fileprivate var label: String { "\(entity.excerpt()).\(name.excerpt())" }
}

extension DatabaseStatistics.Chain {
  /// The rows, separated by arrows; only the ends of a long chain.
  fileprivate var text: String {
    var parts = steps.map {
      "\($0.id)"
        + ($0.cycleRows > 1
          ? " (a cycle of \($0.cycleRows))" : $0.cycleRows == 1 ? " (names itself)" : "")
    }
    let (head, tail) = (3, 2)
    if parts.count > head + tail + 1 {
      parts[head..<parts.count - tail] = ["… \(parts.count - head - tail) more …"]
    }
    return parts.joined(separator: " -> ")
  }
}
