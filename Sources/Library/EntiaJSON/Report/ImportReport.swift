package import EntiaCoding

/// The results of an import: the counts of records and rows, and the problems.
public struct ImportReport: Hashable, Sendable {
  /// The rows of one entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let name: String
    /// The number of rows in the database after the import.
    public let count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// One input.
  public struct File: Hashable, Sendable {
    /// The name of the input.
    public let name: String
    /// The format of the input; nil if none was recognized.
    public let format: ImportFormat?
    /// Whether the input has no records.
    package let isEmpty: Bool
  }

  /// The number of occurrences of records, including nested ones: `inserted + updated + unchanged +
  /// rejected`.
  public package(set) var read = 0
  /// The number of occurrences that inserted a row.
  public package(set) var inserted = 0
  /// The number of occurrences that changed a row of the database, or a row that an earlier
  /// occurrence inserted.
  public package(set) var updated = 0
  /// The number of occurrences without new content, including conflicting ones that were skipped as
  /// requested.
  public package(set) var unchanged = 0
  /// The number of refused occurrences: all of them if there is an error, because an import is all
  /// or nothing.
  public package(set) var rejected = 0
  /// The number of rows in the database after the import, by entity, sorted by name.
  public package(set) var entities: [EntityCount] = []
  /// The inputs, in their given order.
  public package(set) var files: [File] = []
  /// The number of ignored parts of the inputs, by name, such as `links` and `meta` of a JSON:API
  /// document, or members that a type does not decode.
  public package(set) var ignored: [EntityCount] = []
  /// The problems, sorted by input and position.
  public package(set) var problems: [ImportProblem] = []

  /// Creates a report without any records read.
  ///
  /// - Parameter problems: The reasons why nothing was read.
  package init(problems: [ImportProblem] = []) { self.problems = problems }

  /// Whether a problem stopped the import.
  package var isRefused: Bool { problems.contains { $0.severity == .error } }
}

/// The numbers of occurrences of records: all occurrences (`read`), and those with each outcome.
/// The occurrences without an outcome were rejected.
package struct ImportCounts {
  package var read = 0
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0

  package init() {}
}

extension ImportReport {
  /// Creates the report of inputs that have been read. The rows of the database are counted later.
  package init(
    _ counts: ImportCounts, ignored: [String: Int], _ problems: ProblemList,
    of inputs: [ProblemList.Input], isStrict: Bool, advice: [String: String] = [:]
  ) {
    self.init(problems: problems.resolved(inputs, isStrict: isStrict, advice: advice))
    read = counts.read
    inserted = counts.inserted
    updated = counts.updated
    unchanged = counts.unchanged
    self.ignored = ignored.sorted { $0.key.precedesExactly($1.key) }.map {
      EntityCount(name: $0.key, count: $0.value)
    }
    files = inputs.map { File(name: $0.name, format: $0.format, isEmpty: $0.isEmpty) }
  }

  /// Records that nothing was written. All records are rejected together with the invalid ones.
  package mutating func rejectAll() {
    inserted = 0
    updated = 0
    unchanged = 0
    rejected = read
  }
}

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
  package func write(to writer: inout JSONWriter) {
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
        errors.counted("error") + ", " + warnings.counted("warning")
          + (errors > 0 ? "; nothing was written" : ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
