import EntiaDatabase

/// The rows that the edits of all layers wrote, for each registered database in the order of
/// registration; `nil` for a database that an edit replaced by another one.
typealias RowsOfLayers = [NotedRows?]

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
    /// The entities that the edit referred to when the layer was added, by the path of their
    /// database.
    let named: [String: any Sendable]
    let replays: LayerReplays
  }

  private struct Contents {
    var base: StateVersion<State>?
    var layers: [Layer] = []
    /// The rows that the edits wrote when they were applied last; `nil` unless each of them changed
    /// the visible state.
    var written: RowsOfLayers?
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

  /// The rows that the edits wrote, if the visible state can follow a commit of other rows without
  /// applying the edits again.
  var written: RowsOfLayers? {
    contents.withLock { $0.layers.contains { $0.replays == .always } ? nil : $0.written }
  }

  func newID() -> UInt64 {
    contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
  }

  /// Replaces the layers and their base.
  func set(_ layers: [Layer], over base: StateVersion<State>, written: RowsOfLayers?) {
    let dropped = contents.withLock { contents in
      let dropped = contents
      contents.layers = layers
      contents.written = written
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

  /// Applies an edit of the layer to a state that may have changed since the layer was added.
  ///
  /// - Parameters:
  ///   - edit: The edit, or `nil` for the layer's own edit.
  ///   - state: The state.
  /// - Throws: The error of the edit; `BatchError` if a row would refer to a removed entity. This
  ///   applies to the entities that the layer referred to when it was added.
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
