public import EntiaCoding

extension ImportReport {
  /// Returns the report as JSON, with a final newline. Equal reports have equal bytes.
  ///
  /// - Complexity: O(size of the report).
  public func json() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    writer.object { writer in
      writer.members([
        ("read", read), ("inserted", inserted), ("updated", updated), ("unchanged", unchanged),
        ("rejected", rejected),
      ])
      writer.object("entities") { $0.members(entities.map { ($0.name, $0.count) }) }
      if !ignored.isEmpty {
        writer.object("ignored") { $0.members(ignored.map { ($0.name, $0.count) }) }
      }
      writer.array("files", files) { file, writer in
        writer.object {
          $0.member("file", file.name)
          $0.member("format", file.format?.rawValue)
        }
      }
      writer.array("problems", problems) { $0.write(to: &$1) }
    }
    writer.endLine()
    return writer.bytes
  }
}

extension ImportProblem {
  /// Writes the problem as an object.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      if let line { writer.members([("line", line)]) }
      writer.members([
        "path": path, "severity": severity.rawValue, "kind": kind.rawValue, "message": message,
      ])
      if more > 0 { writer.members([("more", more)]) }
    }
  }
}
