extension ProblemList {
  /// An input, as far as paths depend on it.
  struct Input {
    let source: ImportSource
    let isLines: Bool
    var name: String { source.name }
  }

  /// Finds the paths: each input that has a problem is read once more, up to its last one.
  ///
  /// - Returns: the problems by input and place.
  func resolved(_ inputs: [Input], isStrict: Bool) -> [ImportProblem] {
    var offsets: [Int: Set<Int>] = [:]
    for problem in pending {
      let origins = [problem.path == nil ? problem.origin : nil, problem.other]
      for case .some(let origin) in origins where inputs.indices.contains(origin.file) {
        offsets[origin.file, default: []].insert(origin.offset)
      }
    }
    var paths: Paths = [:]
    for (file, offsets) in offsets {
      let sorted = offsets.sorted()
      paths[file] = Dictionary(
        uniqueKeysWithValues: zip(sorted, inputs[file].paths(at: sorted)))
    }
    let order = pending.indices.sorted {
      let (left, right) = (pending[$0].origin, pending[$1].origin)
      return (left.file, left.offset, $0) < (right.file, right.offset, $1)
    }
    return order.map { resolve(pending[$0], inputs, paths, isStrict) }
  }

  /// The paths of offsets, by input.
  private typealias Paths = [Int: [Int: JSONPath]]

  private func resolve(
    _ problem: PendingProblem, _ inputs: [Input], _ paths: Paths, _ isStrict: Bool
  ) -> ImportProblem {
    func name(_ origin: Origin) -> String {
      inputs.indices.contains(origin.file) ? inputs[origin.file].name : "the database"
    }
    var message = problem.message
    if let other = problem.other {
      message += " \(name(other))"
      if let path = paths[other.file]?[other.offset] { message += ": \(path)" }
    }
    // What a schema names and no record has may come with another input.
    let severity = isStrict && problem.kind != .invalidSchema ? .error : problem.severity
    let place = paths[problem.origin.file]?[problem.origin.offset] ?? .root
    let path = JSONPath(place.steps + problem.suffix)
    return ImportProblem(
      file: problem.file ?? name(problem.origin), path: problem.path ?? path.description,
      severity: severity, kind: problem.kind, message: message)
  }
}

extension ProblemList.Input {
  /// Gives the paths of offsets in ascending order.
  fileprivate func paths(at offsets: [Int]) -> [JSONPath] {
    source.withWindow { window in
      guard isLines else {
        return JSONPathFinder.find(offsets, in: JSONReader(window, maximumDepth: .max))
      }
      var paths: [JSONPath] = []
      var lines = JSONLines(window)
      while paths.count < offsets.count, let line = lines.next() {
        let inLine = Array(offsets[paths.count...].prefix { $0 <= line.range.upperBound })
        if inLine.isEmpty { continue }
        paths += JSONPathFinder.find(
          inLine,
          in: JSONReader(
            window, line.range, line: line.number, column: line.column, maximumDepth: .max),
          prefix: [.index(line.record)])
      }
      while paths.count < offsets.count { paths.append(.root) }
      return paths
    }
  }
}
