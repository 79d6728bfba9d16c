package import EntiaCoding

/// Counts of a database's content: rows, references, orphans, chains and fan-outs.
///
/// If several rows have the largest count, the row with the first ID is reported, so that equal
/// databases have equal statistics.
public struct DatabaseStatistics: Hashable, Sendable {
  /// The rows of one entity.
  package struct Table: Hashable, Sendable {
    /// The entity.
    package let entity: String
    /// The number of rows.
    package internal(set) var rows = 0
    /// The number of rows in the result of the database: the rows at the top level of its inputs.
    package internal(set) var results = 0
    /// The number of rows that are not in the result, and that no other row refers to.
    package internal(set) var unreferenced = 0
    /// The longest chain of references that begins at a row of the entity, or nil if the entity has
    /// no rows.
    package internal(set) var deepestChain: Chain?
  }

  /// The references of one relationship.
  package struct Relationship: Hashable, Sendable {
    /// The entity whose rows have the references.
    package let entity: String
    /// The member with the references.
    package let name: String
    /// The name of the referenced entity, or the joined names of several referenced entities.
    package let target: String
    /// Whether a row may have several references.
    package let isMany: Bool
    /// The number of references.
    package internal(set) var references = 0
    /// The number of rows with at least one reference.
    package internal(set) var holders = 0
    /// The number of references to rows that do not exist.
    package internal(set) var dangling = 0
    /// The row with the most references.
    package internal(set) var largestFanOut: Fan?
    /// The row with the most references to it. The row itself may be missing.
    package internal(set) var largestFanIn: Fan?
  }

  /// A row, and the number of references from it or to it.
  package struct Fan: Hashable, Sendable {
    /// The row.
    package let id: RecordID
    /// The number of references.
    package let count: Int
  }

  /// A chain of rows, each of which refers to the next.
  package struct Chain: Hashable, Sendable {
    /// One row of a chain.
    package struct Step: Hashable, Sendable {
      /// The row.
      package let id: RecordID
      /// The number of rows in the cycle that contains the row; 0 if there is none.
      package let cycleRows: Int
    }

    /// The rows. Only the first row of a cycle on the chain is included.
    package let steps: [Step]

    /// The number of references in the chain. References inside a cycle are not counted.
    package var length: Int { steps.count - 1 }
  }

  /// Groups of rows that are reachable from each other: single cycles, or several cycles with
  /// common rows.
  public struct Cycles: Hashable, Sendable {
    /// The number of groups.
    package internal(set) var count = 0
    /// The number of rows in all groups.
    package internal(set) var rows = 0
    /// The number of rows of the largest group.
    public internal(set) var largestRows = 0
    /// The row with the first ID in the largest group, or nil if there are no groups.
    package internal(set) var example: RecordID?
  }

  /// The entities, sorted by name.
  package let tables: [Table]
  /// The relationships, sorted by entity and name.
  package let relationships: [Relationship]
  /// The cycles of references.
  public let cycles: Cycles

  /// The number of rows.
  package var rows: Int { tables.reduce(0) { $0 + $1.rows } }
  /// The number of references.
  package var references: Int { relationships.reduce(0) { $0 + $1.references } }
  /// The number of references to rows that do not exist.
  package var dangling: Int { relationships.reduce(0) { $0 + $1.dangling } }
  /// The number of rows that are not in the result of the database and are not referenced by other
  /// rows.
  package var unreferenced: Int { tables.reduce(0) { $0 + $1.unreferenced } }
}

extension DatabaseStatistics {
  /// Returns the statistics as JSON, with a final newline. Equal statistics have equal bytes.
  ///
  /// Chains are written in full, as arrays of rows.
  ///
  /// - Complexity: O(size of the statistics and of the chains).
  public func json() -> [UInt8] { json(adding: nil) }

  /// Returns the statistics as JSON, with further members.
  package func json(adding members: ((inout JSONWriter) -> Void)?) -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    writer.object { writer in
      writer.members([
        ("rows", rows), ("references", references), ("dangling", dangling),
        ("unreferenced", unreferenced),
      ])
      writer.object("entities") { writer in
        for table in tables { writer.object(table.entity) { table.write(to: &$0) } }
      }
      writer.array("relationships", relationships) { relationship, writer in
        writer.object { relationship.write(to: &$0) }
      }
      writer.object("cycles") { writer in
        writer.members([
          ("count", cycles.count), ("rows", cycles.rows), ("largestRows", cycles.largestRows),
        ])
        writer.row("example", cycles.example)
      }
      members?(&writer)
    }
    writer.endLine()
    return writer.bytes
  }
}

extension DatabaseStatistics.Table {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.members([("rows", rows), ("results", results), ("unreferenced", unreferenced)])
    writer.name("deepestChain")
    guard let deepestChain else { return writer.null() }
    writer.array(deepestChain.steps) { step, writer in
      writer.row(step.id) {
        if step.cycleRows > 0 { $0.members([("cycleRows", step.cycleRows)]) }
      }
    }
  }
}

extension DatabaseStatistics.Relationship {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.members(["entity": entity, "name": name, "to": target])
    writer.member("many", isMany)
    writer.members([("references", references), ("holders", holders), ("dangling", dangling)])
    for (name, fan) in [("largestFanOut", largestFanOut), ("largestFanIn", largestFanIn)] {
      writer.row(name, fan?.id) { $0.members([("count", fan?.count ?? 0)]) }
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is an object with the ID of a row and further members. The value
  /// is `null` if `id` is nil.
  fileprivate mutating func row(
    _ name: String, _ id: RecordID?, _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    self.name(name)
    if let id { row(id, more) } else { null() }
  }

  /// Writes an object with the ID of a row and the members that a closure adds.
  fileprivate mutating func row(_ id: RecordID, _ more: (inout JSONWriter) -> Void) {
    object { writer in
      writer.member("entity", id.entity)
      writer.name("id")
      writer.key(id.key)
      more(&writer)
    }
  }
}

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
          + "\(relationship.references) in \(relationship.holders.counted("row"))")
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
          "  from \(table.entity.excerpt()): \($0.length.counted("reference")): \($0.text)"
        }
      }
  }

  private var cycleLines: [String] {
    guard let example = cycles.example else { return ["cycles: none"] }
    return [
      "cycles: \(cycles.count), with \(cycles.rows.counted("row"))",
      "  largest: \(cycles.largestRows.counted("row")), with \(example)",
    ]
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
