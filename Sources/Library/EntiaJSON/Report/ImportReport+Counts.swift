import EntiaCoding

/// The numbers of occurrences of records by outcome. The others that were read were rejected.
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

  /// Records that nothing was written: all records are rejected together with the invalid ones.
  package mutating func rejectAll() {
    inserted = 0
    updated = 0
    unchanged = 0
    rejected = read
  }
}
