/// A comparison of two reports: the changes of all figures.
package struct Comparison: Sendable {
  package let changes: [Change]
  /// The cases that only the newer report has, and below those that only the older one has.
  package let added: [String]
  package let dropped: [String]

  /// One contestant's figures in one case, in both reports.
  package struct Change: Sendable {
    package let suite: String
    package let size: Int
    package let item: String
    package let unit: Unit
    package let old: Measurement
    package let new: Measurement
    /// The median change of the case's other contestants; `nil` if there are none or the unit is
    /// not time. It shows the influence of a busy or different machine.
    package let drift: Double?

    /// The new median as a multiple of the old one; `nil` if that is 0.
    package var ratio: Double? { old.median > 0 ? new.median / old.median : nil }

    /// The ratio divided by the change of the other contestants.
    package var adjusted: Double? {
      guard let ratio, let drift, drift > 0 else { return nil }
      return ratio / drift
    }

    /// Whether the ranges of the old and the new runs do not overlap.
    package var isBeyondSpread: Bool { old.isApart(from: new) }
  }

  /// Compares the cases that both reports have.
  /// - Throws: `ReportError` if there are none.
  package init(old: Report, new: Report) throws {
    var changes: [Change] = []
    var added: [String] = []
    for suite in new.suites {
      for item in suite.cases {
        guard let before = old.result(suite.suite, item.name, size: suite.size) else {
          added.append("\(suite.suite), \(Figures.size(suite.size)): \(item.name)")
          continue
        }
        changes += Self.changes(suite.suite, before, item)
      }
    }
    if changes.isEmpty { throw ReportError("the two reports have no case at the same size") }
    self.changes = changes
    self.added = added
    dropped = old.suites.flatMap { suite in
      suite.cases.filter { new.result(suite.suite, $0.name, size: suite.size) == nil }
        .map { "\(suite.suite), \(Figures.size(suite.size)): \($0.name)" }
    }
  }

  private static func changes(
    _ suite: String, _ before: CaseResult, _ after: CaseResult
  ) -> [Change] {
    let pairs = after.measurements.compactMap { new in
      before.measurement(of: new.contestant).map { (old: $0, new: new) }
    }
    return pairs.map { pair in
      let others = pairs.filter { $0.new.contestant != pair.new.contestant && $0.old.median > 0 }
      let ratios = others.map { $0.new.median / $0.old.median }
      let hasDrift = after.unit.isTime && !ratios.isEmpty
      return Change(
        suite: suite, size: after.size, item: after.name, unit: after.unit, old: pair.old,
        new: pair.new,
        drift: hasDrift ? Measurement(contestant: "", samples: ratios).median : nil)
    }
  }
}
