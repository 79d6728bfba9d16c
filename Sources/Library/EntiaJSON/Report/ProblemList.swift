package import EntiaCoding

/// A list of problems in the order in which they were found, in bounded memory. The first `limit`
/// problems of each kind are stored. After `limit`, only the first problem of each new cause is
/// stored, for up to `causeLimit` causes. Any other problem only increases `more` of a stored
/// problem.
package struct ProblemList {
  /// The maximum number of stored problems of a kind.
  package static let limit = 10_000
  /// The maximum number of new causes that are stored after `limit` problems of a kind. Only the
  /// first problem of each new cause is stored.
  package static let causeLimit = 1_000

  package private(set) var pending: [PendingProblem] = []
  /// The number of added problems.
  package private(set) var count = 0
  private var kept: [Kind: Int] = [:]
  /// For each cause, the index in `pending` of a stored problem. The `more` of the stored problem
  /// counts further problems of the cause. `counted` is `nil` while no kind has more than `limit`
  /// problems.
  private var counted: [Cause: Int]?

  package init() {}

  private typealias Kind = ImportProblem.RankedKind

  private struct Cause: Hashable {
    let kind: Kind
    /// `nil` stands for all causes that have no stored problem of their own.
    let cause: ImportProblem.Cause?
  }

  package var hasErrors: Bool { pending.contains { $0.severity == .error } }

  package func contains(_ kind: ImportProblem.Kind) -> Bool { pending.contains { $0.kind == kind } }

  private mutating func add(_ problem: PendingProblem) {
    count += 1
    let kind = problem.rankedKind
    let number = kept[kind, default: 0]
    if number < Self.limit { return keep(problem, kind, number) }
    if counted == nil { counted = causes() }
    let cause = Cause(kind: kind, cause: problem.commonCause)
    if let position = counted?[cause] {
      pending[position].more += 1
    } else if number < Self.limit + Self.causeLimit {
      counted?[cause] = pending.count
      keep(problem, kind, number)
    } else if let position = counted?[Cause(kind: kind, cause: nil)] {
      pending[position].more += 1
    } else {
      counted?[Cause(kind: kind, cause: nil)] = pending.count
      var problem = problem
      problem.cause = ImportProblem.Cause("problems of more causes than are listed")
      keep(problem, kind, number)
    }
  }

  private mutating func keep(_ problem: PendingProblem, _ kind: Kind, _ number: Int) {
    kept[kind] = number + 1
    if counted != nil, number < Self.limit {
      counted?[Cause(kind: kind, cause: problem.commonCause)] = pending.count
    }
    pending.append(problem)
  }

  private func causes() -> [Cause: Int] {
    var causes: [Cause: Int] = [:]
    for (position, problem) in pending.enumerated() {
      causes[Cause(kind: problem.rankedKind, cause: problem.commonCause)] = position
    }
    return causes
  }

  package mutating func add(
    _ kind: ImportProblem.Kind, at origin: Origin, suffix: [JSONPath.Step] = [],
    severity: ImportProblem.Severity = .error, other: Origin? = nil, _ message: String,
    cause: ImportProblem.Cause? = nil, advice: String = "", path: JSONPath? = nil
  ) {
    add(
      PendingProblem(
        origin: origin, suffix: suffix, severity: severity, kind: kind, message: message,
        cause: cause, other: other, advice: advice, path: path?.description))
  }

  /// Adds a problem whose path is already known.
  package mutating func add(_ problem: ImportProblem, file: Int) {
    add(
      PendingProblem(
        origin: Origin(file: file, offset: 0), severity: problem.severity, kind: problem.kind,
        message: problem.message, cause: problem.cause, path: problem.path, file: problem.file))
  }
}

/// A position in an input. Its path is found only if a problem there is reported.
@frozen
@usableFromInline
package struct Origin {
  /// The offset in the input.
  @usableFromInline package let offset: Int
  /// The index of the input and, in the lowest two bits, `members`. Both share a word, because an
  /// import keeps an origin for each row.
  @usableFromInline package let fileAndMembers: Int32

  /// The location of a row's members inside the object at `offset`.
  @usableFromInline
  package enum Members: Int32 {
    /// The object itself.
    case direct
    /// The member `fields`, as in Django's records.
    case fields
    /// The member `relationships` for references, and `attributes` for others, as in JSON:API.
    case resource
  }

  package init(file: Int, offset: Int, members: Members) {
    self.offset = offset
    fileAndMembers = Int32(truncatingIfNeeded: file) &<< 2 | members.rawValue
  }

  @usableFromInline
  package init(file: Int, offset: Int) {
    self.init(file: file, offset: offset, members: .direct)
  }

  /// The location of the row's members inside the object at `offset`.
  package var members: Members { Members(rawValue: fileAndMembers & 3) ?? .direct }

  /// The index of the input; -1 for ``database``.
  package var file: Int { Int(fileAndMembers &>> 2) }

  /// The origin of rows that were in the database before the import.
  @usableFromInline
  package static var database: Origin { Origin(file: -1, offset: 0) }

  /// Returns the steps from this origin to the value of a member.
  package func path(to name: String, isReference: Bool) -> [JSONPath.Step] {
    switch members {
    case .direct: [.name(name)]
    case .fields: [.name("fields"), .name(name)]
    case .resource where isReference: [.name("relationships"), .name(name), .name("data")]
    case .resource: [.name("attributes"), .name(name)]
    }
  }
}

/// A problem whose path has not been found yet.
package struct PendingProblem {
  /// The position of the problem.
  package let origin: Origin
  /// The steps from `origin` to the invalid part.
  package var suffix: [JSONPath.Step] = []
  package var severity = ImportProblem.Severity.error
  package let kind: ImportProblem.Kind
  package private(set) var message: String
  /// The common cause of this problem and others; nil to use the message.
  package var cause: ImportProblem.Cause?
  /// Another position, appended to the message.
  package var other: Origin?
  /// Advice that is appended to the message, after the text of the position `other`.
  package var advice = ""
  /// The path, if it is already known.
  package var path: String?
  /// The name of the input for the report. If nil, the report names the input of `origin`.
  package var file: String?
  /// The number of further problems of this cause that are only counted.
  package var more = 0

  fileprivate var rankedKind: ImportProblem.RankedKind {
    ImportProblem.RankedKind(severity: severity, kind: kind)
  }

  fileprivate var commonCause: ImportProblem.Cause { cause ?? ImportProblem.Cause(message) }

  /// Appends advice to the message, and to the common cause.
  package mutating func add(_ advice: String) {
    message += advice
    cause = cause.map { ImportProblem.Cause(entity: $0.entity, $0.message + advice) }
  }
}

extension ProblemList {
  /// The properties of an input that determine the paths of its problems.
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

  /// The path and the line of each offset, by input and offset.
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
    // A warning of the kind `invalidSchema` remains a warning, because a relationship that is
    // missing in all records may occur in another input.
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
