import EntiaDatabase

/// The optimistic layers of a store, and the committed state below them.
///
/// Only the thread that holds the commit lock changes them; any thread may read them.
@usableFromInline
final class LayerStack<State: Sendable>: Sendable {
  @usableFromInline
  struct Layer: Sendable {
    let id: UInt64
    let name: String?
    let edit: @Sendable (inout State) throws -> Void
    /// The entities that the edit referred to when the layer was added, by the paths of their
    /// databases.
    let named: [String: any Sendable]
    let replays: LayerReplays
  }

  private struct Contents {
    var base: StateVersion<State>?
    var layers: [Layer] = []
    /// Whether each layer's edit changed the visible state when it was applied last.
    var areApplied = true
    var lastID: UInt64 = 0
    /// The number of changes so far, which lets a reader detect a concurrent change.
    var changes: UInt64 = 0
  }

  private let contents = Mutex(Contents())

  /// The layers, oldest first.
  var layers: [Layer] { contents.withLock { $0.layers } }

  /// The state below the layers, or `nil` if there are none.
  var base: (state: StateVersion<State>?, changes: UInt64) {
    contents.withLock { ($0.base, $0.changes) }
  }

  /// Whether the visible state can follow a commit without applying the edits again.
  var canFollow: Bool {
    contents.withLock { $0.areApplied && !$0.layers.contains { $0.replays == .always } }
  }

  func newID() -> UInt64 {
    contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
  }

  /// Replaces the layers and their base.
  func set(_ layers: [Layer], over base: StateVersion<State>, areApplied: Bool) {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.layers = layers
      contents.areApplied = areApplied
      contents.base = layers.isEmpty ? nil : base
      contents.changes += 1
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}

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
