import EntiaCoding

extension ProblemList {
  /// The part of an input that determines paths.
  package struct Input {
    package let source: ImportSource
    package let format: ImportFormat?
    package var isEmpty = false
    package var name: String { source.name }

    package init(source: ImportSource, format: ImportFormat?, isEmpty: Bool = false) {
      self.source = source
      self.format = format
      self.isEmpty = isEmpty
    }
  }

  /// Finds the paths. Each input with problems is read once more, up to its last problem.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, indexed by the origins of problems.
  ///   - isStrict: Whether warnings about the inputs are errors.
  ///   - advice: The advice for entities whose records have no IDs, by entity; it is appended to
  ///     the messages.
  /// - Returns: The problems, sorted by input and position.
  package func resolved(
    _ inputs: [Input], isStrict: Bool, advice: [String: String] = [:]
  ) -> [ImportProblem] {
    var offsets: [Int: Set<Int>] = [:]
    for problem in pending {
      let origins = [problem.path == nil ? problem.origin : nil, problem.other]
      for case .some(let origin) in origins where inputs.indices.contains(origin.file) {
        offsets[origin.file, default: []].insert(origin.offset)
      }
    }
    var places: Places = [:]
    for (file, offsets) in offsets {
      let sorted = offsets.sorted()
      places[file] = Dictionary(
        uniqueKeysWithValues: zip(sorted, inputs[file].places(at: sorted)))
    }
    let order = pending.indices.sorted {
      let (left, right) = (pending[$0].origin, pending[$1].origin)
      return (left.file, left.offset, $0) < (right.file, right.offset, $1)
    }
    return order.map { index in
      var problem = pending[index]
      if problem.kind == .missingID, let entity = problem.cause?.entity,
        let advice = advice[entity]
      {
        problem.add(advice)
      }
      return resolve(problem, inputs, places, isStrict)
    }
  }

  /// A path, and the line of the record if the input has one record on each line.
  fileprivate typealias Place = (path: JSONPath, line: Int?)

  /// The positions of offsets, by input.
  private typealias Places = [Int: [Int: Place]]

  private func resolve(
    _ problem: PendingProblem, _ inputs: [Input], _ places: Places, _ isStrict: Bool
  ) -> ImportProblem {
    func name(_ origin: Origin) -> String {
      inputs.indices.contains(origin.file) ? inputs[origin.file].name : "the database"
    }
    var message = problem.message
    if let other = problem.other {
      message += " \(name(other))"
      if let place = places[other.file]?[other.offset] {
        message += "\(place.line.map { ":\($0)" } ?? ""): \(place.path)"
      }
    }
    message += problem.advice
    // A relationship that is missing in all records may occur in another input.
    let severity = isStrict && problem.kind != .invalidSchema ? .error : problem.severity
    let place = places[problem.origin.file]?[problem.origin.offset]
    let path = JSONPath((place?.path ?? .root).steps + problem.suffix)
    return ImportProblem(
      file: problem.file ?? name(problem.origin), line: problem.path == nil ? place?.line : nil,
      path: problem.path ?? path.description, severity: severity, kind: problem.kind,
      message: message, cause: problem.cause, more: problem.more)
  }
}

extension ProblemList.Input {
  /// Returns the positions of offsets, which must be in ascending order.
  fileprivate func places(at offsets: [Int]) -> [ProblemList.Place] {
    source.withWindow { window in
      guard format == .ndjson || format == .csv else {
        return JSONPathFinder.find(offsets, in: JSONReader(window, maximumDepth: .max))
          .map { ($0, nil) }
      }
      var places: [ProblemList.Place] = []
      var lines = JSONLines(window)
      while places.count < offsets.count, let line = lines.next() {
        let inLine = Array(offsets[places.count...].prefix { $0 <= line.range.upperBound })
        if inLine.isEmpty { continue }
        places += JSONPathFinder.find(
          inLine,
          in: JSONReader(
            window, line.range, line: line.number, column: line.column, maximumDepth: .max),
          prefix: [.index(line.record)]
        ).map { ($0, format == .ndjson ? line.number : nil) }
      }
      while places.count < offsets.count { places.append((.root, nil)) }
      return places
    }
  }
}
