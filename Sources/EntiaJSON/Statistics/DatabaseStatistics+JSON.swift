extension DatabaseStatistics {
  /// Returns the statistics as JSON, with a final newline. Equal statistics have equal bytes.
  ///
  /// Chains are written in full, as arrays of rows.
  ///
  /// - Complexity: O(size of the statistics and of the chains).
  public func json() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    writer.beginObject()
    writer.members([
      ("rows", rows), ("references", references), ("dangling", dangling),
      ("unreferenced", unreferenced),
    ])
    writer.name("entities")
    writer.beginObject()
    for table in tables {
      writer.name(table.entity)
      table.write(to: &writer)
    }
    writer.endObject()
    writer.name("relationships")
    writer.beginArray()
    for relationship in relationships { relationship.write(to: &writer) }
    writer.endArray()
    writer.name("cycles")
    writer.beginObject()
    writer.members([
      ("count", cycles.count), ("rows", cycles.rows), ("largestRows", cycles.largestRows),
    ])
    writer.name("example")
    if let example = cycles.example { writer.id(example) } else { writer.null() }
    writer.endObject()
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension DatabaseStatistics.Table {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.members([("rows", rows), ("results", results), ("unreferenced", unreferenced)])
    writer.name("deepestChain")
    if let deepestChain {
      writer.beginArray()
      for step in deepestChain.steps {
        writer.id(step.id) { writer in
          if step.cycleRows > 0 { writer.members([("cycleRows", step.cycleRows)]) }
        }
      }
      writer.endArray()
    } else {
      writer.null()
    }
    writer.endObject()
  }
}

extension DatabaseStatistics.Relationship {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (label, text) in [("entity", entity), ("name", name), ("to", target)] {
      writer.name(label)
      writer.string(text)
    }
    writer.name("many")
    writer.bool(isMany)
    writer.members([("references", references), ("holders", holders), ("dangling", dangling)])
    for (label, fan) in [("largestFanOut", largestFanOut), ("largestFanIn", largestFanIn)] {
      writer.name(label)
      if let fan {
        writer.id(fan.id) { $0.members([("count", fan.count)]) }
      } else {
        writer.null()
      }
    }
    writer.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func members(_ counts: [(String, Int)]) {
    for (name, count) in counts {
      self.name(name)
      integer(count)
    }
  }

  /// Writes an object with the ID of a row and the members that a closure adds.
  fileprivate mutating func id(_ id: RecordID, _ more: (inout JSONWriter) -> Void = { _ in }) {
    beginObject()
    name("entity")
    string(id.entity)
    name("id")
    key(id.key)
    more(&self)
    endObject()
  }
}
