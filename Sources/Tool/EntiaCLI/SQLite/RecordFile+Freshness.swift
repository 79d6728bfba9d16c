import EntiaCoding
import EntiaJSON
import EntiaRecords
import EntiaSQLite
import Foundation

extension RecordFile {
  /// Returns statistics of the ages and answers in a file; empty statistics if the file has none.
  ///
  /// - Throws: A `RecordFileError` for a file that cannot be read.
  static func freshness(of path: String) throws(RecordFileError) -> FileStatistics {
    try describingErrors(of: path) {
      let (ages, answers) = try CachedFile(reading: path).statistics()
      return FileStatistics(ages: ages, answers: answers)
    }
  }

  /// Evicts the oldest rows of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The number of rows to leave.
  ///   - kept: The rows to keep, each as `TABLE` or `TABLE:ID`.
  ///   - isDryRun: Whether nothing is written.
  /// - Returns: The removed rows, or the reason why the arguments do not fit the file.
  /// - Throws: A `RecordFileError` for a file that cannot be read or written. The file is then
  ///   unchanged.
  static func evict(
    _ path: String, downTo limit: Int, keeping kept: [String], isDryRun: Bool
  ) throws(RecordFileError) -> Result<CachedFile.Eviction, EvictionRefusal> {
    try describingErrors(of: path) {
      // Opening a file for writing changes it, so a refusal must come before.
      let planned = try eviction(
        from: CachedFile(reading: path), at: path, downTo: limit, keeping: kept)
      if isDryRun { return planned }
      if case .failure = planned { return planned }
      let file = try CachedFile(writing: path)
      let eviction = try eviction(from: file, at: path, downTo: limit, keeping: kept)
      if case .success(let eviction) = eviction { try file.perform(eviction) }
      return eviction
    }
  }

  /// Returns the rows to evict, or the reason why the arguments do not fit the file.
  private static func eviction(
    from file: CachedFile, at path: String, downTo limit: Int, keeping kept: [String]
  ) throws -> Result<CachedFile.Eviction, EvictionRefusal> {
    guard file.hasAges else {
      return .failure(
        EvictionRefusal(
          isUsage: false,
          reason: "'\(path)' has no ages: only rows whose age a program has recorded are evicted"))
    }
    var rows: Set<CachedFile.Kept> = []
    for text in kept {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let table = String(parts[0])
      guard file.names.contains(table) else {
        let suggestion = Suggestion.nearest(to: table, among: file.names)
        return .failure(
          EvictionRefusal(
            isUsage: true,
            reason: "--keep \(text): '\(path)' has no entity '\(table)'"
              + (suggestion.map { "; did you mean '\($0)'?" } ?? "")))
      }
      rows.insert(CachedFile.Kept(table: table, id: parts.count > 1 ? String(parts[1]) : nil))
    }
    let eviction = try file.eviction(downTo: limit, keeping: rows)
    if let missing = eviction.missing.map({ "\($0.table):\($0.id ?? "")" }).min() {
      return .failure(
        EvictionRefusal(isUsage: true, reason: "--keep \(missing): '\(path)' has no such row"))
    }
    return .success(eviction)
  }
}

/// The reason why nothing is evicted.
struct EvictionRefusal: Error {
  /// Whether the arguments are wrong.
  let isUsage: Bool
  let reason: String
}

/// The ages and answers of a file.
struct FileStatistics {
  let ages: [CachedFile.AgeStatistics]
  let answers: [CachedFile.AnswerStatistics]

  var isEmpty: Bool { ages.isEmpty && answers.isEmpty }

  /// The statistics as text.
  var text: String {
    let lines =
      ages.map { part in
        "  \(part.name): \(part.count) of \(part.rowCount.counted("row")) of \(part.rows)"
          + Self.span(part.oldest, part.newest)
      }
      + answers.map { part in
        "  \(part.name): \(part.count.counted("answer")) with \(part.ids) of \(part.rows), "
          + "\(part.invalidated) invalidated" + Self.span(part.oldest, part.newest)
      }
    return (["ages and answers:"] + lines).map { $0 + "\n" }.joined()
  }

  private static func span(_ oldest: Date?, _ newest: Date?) -> String {
    guard let oldest, let newest else { return "" }
    return ", received from \(text(oldest)) to \(text(newest))"
  }

  private static func text(_ date: Date) -> String { date.formatted(.iso8601) }

  /// Writes the statistics as members of an object.
  func write(to writer: inout JSONWriter) {
    writer.array("ages", ages) { part, writer in
      writer.object { writer in
        writer.members(["name": part.name, "entity": part.rows])
        writer.members([("rows", part.rowCount), ("known", part.count)])
        Self.write(part.oldest, part.newest, to: &writer)
      }
    }
    writer.array("answers", answers) { part, writer in
      writer.object { writer in
        writer.members(["name": part.name, "entity": part.rows])
        writer.members([
          ("requests", part.count), ("ids", part.ids), ("invalidated", part.invalidated),
        ])
        Self.write(part.oldest, part.newest, to: &writer)
      }
    }
  }

  private static func write(_ oldest: Date?, _ newest: Date?, to writer: inout JSONWriter) {
    for (name, date) in [("oldest", oldest), ("newest", newest)] {
      writer.name(name)
      if let date { writer.string(text(date)) } else { writer.null() }
    }
  }
}
