import EntiaDatabase

extension LayerStack.Layer {
  /// Creates a layer whose edit has been tested.
  /// - Parameters:
  ///   - start: The state before the edit.
  ///   - end: The state after the edit.
  init(
    id: UInt64, name: String?, replays: LayerReplays, from start: State, to end: State,
    edit: @escaping @Sendable (inout State) throws -> Void
  ) {
    self.init(
      id: id, name: name, edit: edit, named: Self.namedTargets(from: start, to: end),
      replays: replays)
  }

  private static func namedTargets(from start: State, to end: State) -> [String: any Sendable] {
    func targets<Database: NormalizedStorageType>(
      of database: Database, since start: (any NormalizedStorageType)?
    ) -> (any Sendable)? { (start as? Database).map(database.namedTargets(since:)) }
    let ends = StateDatabases(of: end).databases
    if ends.isEmpty { return [:] }
    let starts = StateDatabases(of: start)
    var named: [String: any Sendable] = [:]
    for (path, database) in ends { named[path] = targets(of: database, since: starts[path]) }
    return named
  }

  /// Applies an edit of the layer to a state that others may have changed since the layer was
  /// added.
  ///
  /// - Parameters:
  ///   - edit: The edit, or `nil` for the layer's own edit.
  ///   - state: The state.
  /// - Throws: The error of the edit; `BatchError` if a row of a database would refer to an entity
  ///   that the layer referred to when it was added and that has been removed since.
  func apply(_ edit: ((inout State) throws -> Void)? = nil, to state: inout State) throws {
    if named.isEmpty { return try (edit ?? self.edit)(&state) }
    let start = state
    try (edit ?? self.edit)(&state)
    let starts = StateDatabases(of: start)
    let violations = StateDatabases(of: state).databases.flatMap { path, database in
      lostReferences(of: database, since: starts[path], named[path])
    }
    guard violations.isEmpty else { throw BatchError.refused(violations) }
  }

  private func lostReferences<Database: NormalizedStorageType>(
    of database: Database, since start: (any NormalizedStorageType)?, _ named: (any Sendable)?
  ) -> [BatchViolation] {
    guard let start = start as? Database, let named = named as? NamedTargets<Database> else {
      return []
    }
    return database.lostReferences(since: start, named: named)
  }
}

/// All databases in a state, including those in nested properties.
private struct StateDatabases {
  /// The databases and the paths of their properties, in declaration order.
  private(set) var databases: [(path: String, database: any NormalizedStorageType)] = []

  init(of state: Any) {
    var pending: [(path: String, value: Any)] = [("", state)]
    while let (path, value) = pending.popLast() {
      if let database = value as? any NormalizedStorageType {
        databases.append((path, database))
        continue
      }
      for (name, value) in Self.parts(of: value).reversed() {
        pending.append(("\(path).\(name)", value))
      }
    }
  }

  subscript(path: String) -> (any NormalizedStorageType)? {
    databases.first { $0.path == path }?.database
  }

  /// Returns the parts of a value that may be or contain databases. Elements of a collection are
  /// data of any size, unless they are databases. Objects referenced by the state are not part of
  /// it.
  private static func parts(of value: Any) -> [(name: String, value: Any)] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple, .optional, .enum:
      return mirror.children.enumerated().map { ($1.label ?? "\($0)", $1.value) }
    case .collection where mirror.children.first?.value is any NormalizedStorageType:
      return mirror.children.enumerated().map { ("\($0)", $1.value) }
    case .dictionary:
      // An element is a tuple of a key and a value.
      guard let first = mirror.children.first.map({ entry(of: $0.value) }),
        first?.value is any NormalizedStorageType
      else { return [] }
      return mirror.children.compactMap { entry(of: $0.value) }
    default: return []
    }
  }

  private static func entry(of tuple: Any) -> (name: String, value: Any)? {
    let parts = Mirror(reflecting: tuple).children.map(\.value)
    return parts.count == 2 ? ("\(parts[0])", parts[1]) : nil
  }
}
