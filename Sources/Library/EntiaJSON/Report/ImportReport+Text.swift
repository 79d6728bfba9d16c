extension ImportReport {
  /// Returns the report as readable text, with a final newline. Equal reports have equal text.
  ///
  /// Problems are counted; ``ImportProblems/text(maximum:)`` lists them.
  ///
  /// - Complexity: O(size of the report).
  public func text() -> String {
    var lines = files.map { file in
      "\(file.name): \(file.format.map { "\($0.rawValue)" } ?? "format not recognized")"
        + (file.isEmpty ? ", without records" : "")
    }
    lines.append(
      "read \(read): \(inserted) inserted, \(updated) updated, \(unchanged) unchanged, "
        + "\(rejected) rejected")
    let width = entities.map { String($0.count).count }.max() ?? 0
    for entity in entities {
      let count = String(entity.count)
      lines.append(
        "  " + String(repeating: " ", count: width - count.count) + "\(count) \(entity.name)")
    }
    if !ignored.isEmpty {
      lines.append("ignored: " + ignored.map { "\($0.count) \($0.name)" }.joined(separator: ", "))
    }
    let errors = problems.lazy.filter { $0.severity == .error }.total
    let warnings = problems.total - errors
    if !problems.isEmpty {
      lines.append(
        Self.counted(errors, "error") + ", " + Self.counted(warnings, "warning")
          + (errors > 0 ? "; nothing was written" : ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
