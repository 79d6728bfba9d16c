import EntiaCoding

extension ImportProblems {
  /// The default maximum number of listed problems of one kind.
  @usableFromInline
  package static let maximumListed = 100

  /// Returns the problems as readable text, grouped by cause, errors before warnings.
  ///
  /// A group begins with its count and its cause; the positions follow. The number of listed
  /// problems of each kind is limited. If a kind has more problems, those of rare causes are
  /// preferred, and the rest is counted. Equal problems have equal text.
  ///
  /// - Parameter maximum: The maximum number of listed problems of one kind.
  /// - Returns: The text, with a final newline; empty if there are no problems.
  /// - Complexity: O(problems).
  public func text(maximum: Int = maximumListed) -> String {
    lines(maximum: maximum).map { $0 + "\n" }.joined()
  }

  /// Returns the lines of ``text(maximum:)``.
  package func lines(maximum: Int = maximumListed) -> [String] {
    var groups: [ProblemGroup] = []
    var positions: [ProblemGroup.Key: Int] = [:]
    for problem in problems {
      let kind = ImportProblem.RankedKind(severity: problem.severity, kind: problem.kind)
      let key = ProblemGroup.Key(kind: kind, cause: problem.cause)
      if let position = positions[key] {
        groups[position].problems.append(problem)
        groups[position].count += 1 + problem.more
      } else {
        positions[key] = groups.count
        groups.append(ProblemGroup(key: key, problems: [problem], count: 1 + problem.more))
      }
    }
    share(maximum, among: &groups)
    var lines: [String] = []
    for severity in [ImportProblem.Severity.error, .warning] {
      for group in groups where group.key.kind.severity == severity { group.append(to: &lines) }
      lines += hidden(groups, severity)
    }
    return lines
  }

  /// Sets the number of listed problems of each group. The groups of a kind share `maximum`
  /// equally. The unused share of a small group goes to larger groups.
  private func share(_ maximum: Int, among groups: inout [ProblemGroup]) {
    var byKind: [ImportProblem.RankedKind: [Int]] = [:]
    for index in groups.indices { byKind[groups[index].key.kind, default: []].append(index) }
    for indices in byKind.values {
      // At least `namedCauses` causes are named in lines of their own, even if fewer problems may
      // be listed.
      let shown = indices.prefix(max(maximum, Self.namedCauses))
      for index in shown { groups[index].isShown = true }
      let sorted = shown.sorted {
        (groups[$0].count, $0) < (groups[$1].count, $1)
      }
      var left = maximum
      for (position, index) in sorted.enumerated() {
        let others = sorted.count - position - 1
        groups[index].listed = min(groups[index].problems.count, (left + others) / (others + 1))
        left -= groups[index].listed
      }
    }
  }

  /// The number of causes of a kind that are named even if `maximum` is smaller.
  private static let namedCauses = 20

  /// Returns lines with the number of problems of unnamed causes.
  private func hidden(
    _ groups: [ProblemGroup], _ severity: ImportProblem.Severity
  ) -> [String] {
    ImportProblem.Kind.allCases.compactMap { kind in
      let kind = ImportProblem.RankedKind(severity: severity, kind: kind)
      let hidden = groups.filter { !$0.isShown && $0.key.kind == kind }
      if hidden.isEmpty { return nil }
      let count = hidden.reduce(0) { $0 + $1.count }
      let causes = hidden.count == 1 ? "another cause" : "\(hidden.count) other causes"
      return "\(severity.rawValue): \(count) × \(kind.kind.rawValue) of \(causes)"
    }
  }
}

/// Problems of one cause.
private struct ProblemGroup {
  struct Key: Hashable {
    let kind: ImportProblem.RankedKind
    let cause: ImportProblem.Cause
  }

  let key: Key
  var problems: [ImportProblem]
  /// The number of problems, including those that are only counted.
  var count: Int
  /// The number of listed problems.
  var listed = 0
  /// Whether the cause is named.
  var isShown = false

  func append(to lines: inout [String]) {
    if !isShown { return }
    if count == 1, listed == 1 { return lines.append(problems[0].description) }
    let entity = key.cause.entity.map { " in \($0.excerpt())" } ?? ""
    lines.append(
      "\(key.kind.severity.rawValue): \(count) × \(key.kind.kind.rawValue)\(entity): "
        + key.cause.message)
    let isSame = problems.allSatisfy { $0.message == problems[0].message }
    for problem in problems.prefix(listed) {
      lines.append("  \(problem.place)" + (isSame ? "" : ": \(problem.message)"))
    }
    let rest = count - listed
    if rest > 0, listed > 0 { lines.append("  … and \(rest) more") }
  }
}
