extension ImportReport {
  /// Returns the report as JSON, with a final newline. Equal reports have equal bytes.
  ///
  /// - Complexity: O(size of the report).
  public func json() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 2))
    writer.beginObject()
    for (name, count) in [
      ("read", read), ("inserted", inserted), ("updated", updated), ("unchanged", unchanged),
      ("rejected", rejected),
    ] {
      writer.name(name)
      writer.integer(count)
    }
    writer.name("entities")
    writer.beginObject()
    for entity in entities {
      writer.name(entity.name)
      writer.integer(entity.count)
    }
    writer.endObject()
    if !ignored.isEmpty {
      writer.name("ignored")
      writer.beginObject()
      for part in ignored {
        writer.name(part.name)
        writer.integer(part.count)
      }
      writer.endObject()
    }
    writer.name("files")
    writer.beginArray()
    for file in files { file.write(to: &writer) }
    writer.endArray()
    writer.name("problems")
    writer.beginArray()
    for problem in problems { problem.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endLine()
    return writer.bytes
  }
}

extension ImportReport.File {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("file")
    writer.string(name)
    writer.name("format")
    if let format { writer.string(format.rawValue) } else { writer.null() }
    writer.endObject()
  }
}

extension ImportProblem {
  /// Writes the problem as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("file")
    writer.string(file)
    if let line {
      writer.name("line")
      writer.integer(line)
    }
    for (name, text) in [
      ("path", path), ("severity", severity.rawValue), ("kind", kind.rawValue),
      ("message", message),
    ] {
      writer.name(name)
      writer.string(text)
    }
    if more > 0 {
      writer.name("more")
      writer.integer(more)
    }
    writer.endObject()
  }
}
