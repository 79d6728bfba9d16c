extension ImportProblems {
  /// The default maximum number of listed problems of one kind.
  public static let maximumListed = 100

  /// Returns the problems as readable text, grouped by cause, errors before warnings.
  ///
  /// A group begins with its count and its cause; the positions follow. The number of listed
  /// problems of each kind is limited. If a kind has no more causes than this limit, at least one
  /// problem of each cause is listed; the rest is counted. Equal problems have equal text.
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
      let key = ProblemGroup.Key(problem)
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
      for group in groups where group.key.severity == severity { group.append(to: &lines) }
      lines += hidden(groups, severity)
    }
    return lines
  }

  /// Sets the number of listed problems of each group. Small groups are listed first, so that a
  /// cause with few problems is not hidden by one with many.
  private func share(_ maximum: Int, among groups: inout [ProblemGroup]) {
    var byKind: [ProblemGroup.Kind: [Int]] = [:]
    for index in groups.indices { byKind[groups[index].kind, default: []].append(index) }
    for indices in byKind.values {
      // The first causes of a kind, if it has more causes than listed problems.
      let sorted = indices.prefix(maximum).sorted {
        (groups[$0].count, $0) < (groups[$1].count, $1)
      }
      var left = maximum
      for (position, index) in sorted.enumerated() {
        groups[index].listed = min(
          groups[index].problems.count, left / (sorted.count - position))
        left -= groups[index].listed
      }
    }
  }

  /// Returns lines that count the problems of the causes that are not listed at all.
  private func hidden(
    _ groups: [ProblemGroup], _ severity: ImportProblem.Severity
  ) -> [String] {
    ImportProblem.Kind.allCases.compactMap { kind in
      let hidden = groups.filter {
        $0.listed == 0 && $0.key.severity == severity && $0.key.kind == kind
      }
      if hidden.isEmpty { return nil }
      let count = hidden.reduce(0) { $0 + $1.count }
      let causes = hidden.count == 1 ? "another cause" : "\(hidden.count) other causes"
      return "\(severity.rawValue): \(count) × \(kind.rawValue) of \(causes)"
    }
  }
}

/// Problems of one cause.
private struct ProblemGroup {
  struct Kind: Hashable {
    let severity: ImportProblem.Severity
    let kind: ImportProblem.Kind
  }

  struct Key: Hashable {
    let severity: ImportProblem.Severity
    let kind: ImportProblem.Kind
    let cause: ImportProblem.Cause

    init(_ problem: ImportProblem) {
      severity = problem.severity
      kind = problem.kind
      cause = problem.cause
    }
  }

  let key: Key
  var problems: [ImportProblem]
  /// The number of problems, including those that are only counted.
  var count: Int
  /// The number of listed problems.
  var listed = 0

  var kind: Kind { Kind(severity: key.severity, kind: key.kind) }

  func append(to lines: inout [String]) {
    if listed == 0 { return }
    guard count > 1 else { return lines.append(problems[0].description) }
    let entity = key.cause.entity.map { " in \($0.excerpt())" } ?? ""
    lines.append(
      "\(key.severity.rawValue): \(count) × \(key.kind.rawValue)\(entity): "
        + key.cause.message)
    let isSame = problems.allSatisfy { $0.message == problems[0].message }
    for problem in problems.prefix(listed) {
      lines.append("  \(problem.place)" + (isSame ? "" : ": \(problem.message)"))
    }
    let rest = count - listed
    if rest > 0 { lines.append("  … and \(rest) more") }
  }
}
