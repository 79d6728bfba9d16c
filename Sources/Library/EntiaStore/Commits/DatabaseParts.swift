import EntiaDatabase

/// The registered databases in a store's state: the state, if it is a database, and each database
/// whose key path has been passed to the store, for example to observe rows.
///
/// Only databases in stored properties are registered. Their number is fixed, and their key paths
/// can be read in every version of the state. Other key paths may fail, for example that of a
/// removed array element.
final class DatabaseParts<State: Sendable>: Sendable {
  /// Three versions of the state, for reverting or repeating a change in `current`.
  struct Versions {
    /// The state after the change.
    let origin: State
    /// The state before the change.
    let target: State
    /// The state in which the change is reverted or repeated.
    let current: State
  }

  struct Part: Sendable {
    let path: any AnyKeyPath & Sendable
    /// Reverts the change in the current version of the database, and writes the result to `state`.
    /// Rows that have changed since are kept and returned as conflicts.
    let revert: @Sendable (_ versions: Versions, _ state: inout State) throws -> [RowConflict]
    /// Repeats in `current` the change from `target` to `origin`, and writes the result to `state`.
    /// Returns `false` if the change may depend on rows that were written between `target` and
    /// `current`.
    let addIndependentChange:
      @Sendable (_ versions: Versions, _ written: NotedRows?, _ state: inout State) -> Bool
    /// Begins to note the rows that the database's batches write.
    let beginNoting: @Sendable (_ state: inout State) -> Void
    /// Ends the noting that `beginNoting` began. `base` is the state before `beginNoting`, and
    /// `start` is the state after it. If the database in `state` is still the version of `start`,
    /// it is replaced by the database in `base`. Returns the rows that were written since `start`,
    /// or `nil` if the whole database was replaced by another one.
    let endNoting: @Sendable (_ start: State, _ base: State, _ state: inout State) -> NotedRows?
    let copy: @Sendable (_ other: State, _ state: inout State) -> Void
  }

  private let parts = Mutex<[Part]>([])
  /// The key path literals by which databases have been registered, compared by identity. A literal
  /// is always the same object, but two literals in the source code are different objects.
  private let known = Mutex<[any AnyKeyPath & Sendable]>([])

  init() {
    let whole: any KeyPath<State, State> & Sendable = \.self
    add(ifDatabase: whole)
  }

  var all: [Part] { parts.withLock { $0 } }

  func part(at path: any AnyKeyPath & Sendable) -> Part? { all.first { $0.path == path } }

  func add<Value>(ifDatabase path: any KeyPath<State, Value> & Sendable) {
    if let type = Value.self as? any NormalizedStorageType.Type { add(path, as: type) }
  }

  func add<Storage: NormalizedStorageType>(_ path: any KeyPath<State, Storage> & Sendable) {
    add(path, as: Storage.self)
  }

  /// Registers the database at a key path, if the key path leads to a stored property.
  ///
  /// The key path need not be declared as `Sendable`, because key paths of stored properties
  /// capture no values.
  /// - Parameter isLiteral: Whether the key path may be a literal; `false` if it was created for
  ///   this call.
  func add<Storage: NormalizedStorageType>(
    stored path: WritableKeyPath<State, Storage>, isLiteral: Bool
  ) {
    if known.withLock({ $0.contains { $0 === path } }) { return }
    guard MemoryLayout<State>.offset(of: path) != nil else { return }
    let path = unsafeBitCast(path, to: (any WritableKeyPath<State, Storage> & Sendable).self)
    add(path, as: Storage.self)
    // The number is limited, because a key path that is no literal may be a new object in each
    // call.
    if isLiteral { known.withLock { if $0.count < 64 { $0.append(path) } } }
  }

  /// Registers the database at a key path, if the key path is writable, leads to a stored property,
  /// and is not yet registered.
  private func add<Storage: NormalizedStorageType>(
    _ candidate: any AnyKeyPath & Sendable, as type: Storage.Type
  ) {
    // Comparing key paths may run user code, so it happens without the lock.
    if part(at: candidate) != nil { return }
    guard let stored = candidate as? WritableKeyPath<State, Storage>,
      MemoryLayout<State>.offset(of: stored) != nil
    else { return }
    // The same object as `candidate`, which is `Sendable`.
    let path = unsafeBitCast(stored, to: (any WritableKeyPath<State, Storage> & Sendable).self)
    let part = Part(
      path: path,
      revert: { versions, state in
        var merge = ThreeWayMerge<Storage>(otherwise: .mine)
        merge.isUndo = true
        let merged = try versions.current[keyPath: path].merging(
          versions.target[keyPath: path], base: versions.origin[keyPath: path], by: merge)
        state[keyPath: path] = merged.storage
        return merged.conflicts
      },
      addIndependentChange: { versions, written, state in
        let (origin, target) = (versions.origin[keyPath: path], versions.target[keyPath: path])
        let current = versions.current[keyPath: path]
        guard
          var added = current.addingIndependentChanges(from: target, to: origin, written: written)
        else { return false }
        added.mergeFreshness(of: origin, since: target)
        state[keyPath: path] = added
        return true
      },
      beginNoting: { state in state[keyPath: path] = state[keyPath: path].notingWrites },
      endNoting: { start, base, state in
        let (first, last) = (start[keyPath: path], state[keyPath: path])
        let isUntouched = last.snapshot.isIdentical(to: first.snapshot)
        state[keyPath: path] = isUntouched ? base[keyPath: path] : last.withoutWrites
        guard let written = last.writtenRows, written.hasOrigin(of: first.writtenRows) else {
          return nil
        }
        return written
      },
      copy: { other, state in state[keyPath: path] = other[keyPath: path] })
    _ = parts.findOrAdd(
      read: { ($0, revision: $0.count) }, find: { $0.first { $0.path == path } },
      make: { _, _ in part }, add: { $0.append($1) })
  }

  /// Returns whether two states surely differ only in registered databases.
  func containAllChanges(from old: State, to new: State, by equality: Equality<State>) -> Bool {
    let parts = all
    guard equality.isKnown, !parts.isEmpty else { return false }
    var state = old
    for part in parts { part.copy(new, &state) }
    return equality.areSurelyEqual(state, new)
  }
}
