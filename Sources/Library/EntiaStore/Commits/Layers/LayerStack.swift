import EntiaDatabase

/// The rows that the edits of all layers wrote. The array has an element for each registered
/// database, in the order of registration. The element is `nil` if an edit replaced the whole
/// database.
typealias RowsOfLayers = [NotedRows?]

/// The optimistic layers of a store, and the committed state below them.
///
/// Only the thread that holds the commit lock changes the layers and the state; any thread may read
/// them.
@usableFromInline
final class LayerStack<State: Sendable>: Sendable {
  @usableFromInline
  struct Layer: Sendable {
    let id: UInt64
    let name: String?
    let edit: @Sendable (inout State) throws -> Void
    /// The entities to which the edit referred when the layer was added, by the path of their
    /// database.
    let named: [String: any Sendable]
    let replays: LayerReplays
  }

  private struct Contents {
    var base: StateVersion<State>?
    var layers: [Layer] = []
    /// The rows that the layers' edits wrote when they were most recently applied; `nil` if one of
    /// the edits failed or changed nothing.
    var written: RowsOfLayers?
    var lastID: UInt64 = 0
    /// The number of changes so far, which lets a reader detect a concurrent change.
    var changes: UInt64 = 0
  }

  private let contents = Mutex(Contents())

  /// The layers, oldest first.
  var layers: [Layer] { contents.withLock { $0.layers } }

  /// The state below the layers, or `nil` if there are no layers; and the number of changes so far.
  var base: (state: StateVersion<State>?, changes: UInt64) {
    contents.withLock { ($0.base, $0.changes) }
  }

  /// The rows that the edits wrote, or `nil` if the edits have to be applied again after each
  /// commit.
  var written: RowsOfLayers? {
    contents.withLock { $0.layers.contains { $0.replays == .always } ? nil : $0.written }
  }

  /// Returns the rows that the edits and the edit of a new layer wrote, or `nil` if one of the
  /// edits failed or changed nothing.
  ///
  /// - Parameter added: The rows that the new edit wrote.
  func written(adding added: RowsOfLayers) -> RowsOfLayers? {
    let (isEmpty, written) = contents.withLock { ($0.layers.isEmpty, $0.written) }
    if isEmpty { return added }
    return written.map { written in
      added.indices.map { index in
        // A database that was registered after the other edits has no noted rows.
        guard index < written.count, let new = added[index] else { return nil }
        return written[index]?.union(new)
      }
    }
  }

  func newID() -> UInt64 {
    contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
  }

  func set(_ layers: [Layer], over base: StateVersion<State>, written: RowsOfLayers?) {
    contents.replace { contents in
      contents.layers = layers
      contents.written = written
      contents.base = layers.isEmpty ? nil : base
      contents.changes += 1
    }
  }
}

extension LayerStack.Layer {
  /// Creates a layer from an edit that has succeeded once.
  /// - Parameters:
  ///   - start: The state before the edit, whose registered databases note writes.
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
  ///   - merged: Databases that the caller replaces in the result. They are not checked.
  /// - Throws: The error of the edit; `BatchError` if a row would refer to a removed entity. An
  ///   entity counts only if the edit already referred to it when the layer was added.
  func apply(
    _ edit: ((inout State) throws -> Void)? = nil, to state: inout State,
    replacing merged: [DatabaseParts<State>.Part] = []
  ) throws {
    if named.isEmpty { return try (edit ?? self.edit)(&state) }
    let start = state
    try (edit ?? self.edit)(&state)
    var checked = state
    for part in merged { part.copy(start, &checked) }
    let starts = StateDatabases(of: start)
    let violations = StateDatabases(of: checked).databases.flatMap { path, database in
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

/// An optimistic edit, which is visible before it is confirmed, for example by a server.
///
/// ```swift
/// let layer = try store.addLayer("Like") { $0.likes += 1 }
/// // … later, in any order with other layers:
/// try layer.confirm()               // commits the edit
/// layer.rollBack()                  // removes the edit
/// ```
///
/// The layers of a store are stacked on its committed state in the order in which they were added.
/// The visible state is the committed state with the edits of all layers. After a commit, the edits
/// are applied again, unless the commit is independent of the layers, as described in
/// ``LayerReplays/ifAffected``. If an edit throws, the error is reported and the layer is skipped
/// until its edit succeeds again. Releasing this object does not end the layer.
///
/// An edit also fails if an entity to which the edit refers has been removed since the layer was
/// added: for example, a removed post cannot be liked. Two kinds of entities are exempt: those to
/// which the edit did not yet refer when the layer was added, and those to which it refers by a
/// relationship with the rule `keepDangling`.
public final class StoreLayer<State: Sendable>: Sendable {
  private typealias Edit = @Sendable (inout State) throws -> Void

  /// The name of the layer.
  package let name: String?
  private let confirmEdit: @Sendable (UndoRecording, Edit?) throws -> Void
  private let remove: @Sendable () -> Bool
  private let exists: @Sendable () -> Bool

  init<Activity>(_ core: StoreCore<State, Activity>, _ id: UInt64, _ name: String?) {
    self.name = name
    confirmEdit = { try core.confirmLayer(id, name, undo: $0, $1) }
    remove = { core.removeLayer(id, name) }
    exists = { core.layers.layers.contains { $0.id == id } }
  }

  /// Whether the layer has been neither confirmed nor rolled back.
  package var isActive: Bool { exists() }

  /// Commits the layer's edit under the layer's name, like any other commit, and removes the layer.
  ///
  /// By default, the commit is not an undo step, and undoing an earlier step keeps it, as described
  /// in ``Store/commit(_:context:undo:fileID:line:_:)``.
  ///
  /// - Parameter undo: Whether the commit is an undo step.
  /// - Throws: The error of the edit or of a ``StoreMiddleware``; `BatchError` if the edit refers
  ///   to an entity that has been removed since the layer was added; ``StoreLayerError`` if the
  ///   layer has already ended. After every error except ``StoreLayerError``, the layer still
  ///   exists.
  public func confirm(undo: UndoRecording = .none) throws { try confirmEdit(undo, nil) }

  /// Commits `edit` in place of the layer's own edit, and removes the layer. For example, `edit`
  /// writes the server's result.
  ///
  /// - Parameters:
  ///   - undo: Whether the commit is an undo step.
  ///   - edit: A closure that edits the committed state, without this and the other layers. It must
  ///     have no other effects, because it may be called again when an earlier step is undone.
  /// - Throws: The error of the edit or of a ``StoreMiddleware``; `BatchError` if the edit refers
  ///   to an entity that has been removed since the layer was added; ``StoreLayerError`` if the
  ///   layer has already ended. After every error except ``StoreLayerError``, the layer still
  ///   exists.
  public func confirm<Ignored>(
    undo: UndoRecording = .none, _ edit: @escaping @Sendable (inout State) throws -> Ignored
  ) throws {
    try confirmEdit(undo) { _ = try edit(&$0) }
  }

  /// Removes the layer and its edit, regardless of later commits and layers.
  ///
  /// - Returns: Whether the layer existed.
  @discardableResult
  public func rollBack() -> Bool { remove() }
}

/// The commits after which a layer's edit is applied again.
public enum LayerReplays: Hashable, Sendable {
  /// The layer's edit is applied again after every commit that may affect the edit. A commit does
  /// not affect the edit if the commit changed only registered databases and these conditions are
  /// met:
  /// - It wrote no row that a layer wrote, and removed no row that a row of a layer references.
  /// - It inserted or moved no row in a table in which a layer inserted or moved rows.
  /// - It removed no row from a table in which a layer set the positions of rows.
  /// - It changed no held IDs.
  /// - Together with the layers, it violates no rule.
  ///
  /// A row counts as written by a layer even if the row already had the new value or was missing.
  /// If the layer passed a closure for the rows of a table, as to `update(where:_:)`, all rows of
  /// the table count as written. In addition, the most recent application of each layer's edit must
  /// have changed the state, and must not have replaced a whole database.
  ///
  /// Reads are not tracked. If an edit reads rows that it does not write, for example to count
  /// them, use ``always``. A database is registered in two cases: it is the state itself, or it is
  /// a stored property and its key path has been passed to the store, for example to
  /// ``Store/query(_:in:)`` or ``Store/addLayer(_:replays:_:)`` of a scope.
  case ifAffected
  /// The layer's edit is applied again after every commit that changed the state. While a store has
  /// a layer with this value, these commits also apply the edits of all other layers again.
  case always
}
