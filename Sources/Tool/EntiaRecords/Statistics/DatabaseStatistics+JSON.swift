import EntiaCoding

extension DatabaseStatistics {
  /// Returns the statistics as JSON, with a final newline. Equal statistics have equal bytes.
  ///
  /// Chains are written in full, as arrays of rows.
  ///
  /// - Complexity: O(size of the statistics and of the chains).
  public func json() -> [UInt8] {
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
  /// Writes a member with the ID of a row and more members, or with `null`.
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
