import EntiaDatabase

/// The databases in a store's state, as far as they are known: a state that is a database, and those
/// whose key paths have been given to the store, for example to observe rows.
final class DatabaseParts<State: Sendable>: Sendable {
  /// Three versions of the state for taking back what led from one to another.
  struct Versions {
    /// The state that the change led to.
    let origin: State
    /// The state before the change.
    let target: State
    /// The state from which the change is to be taken back.
    let current: State
  }

  /// A database in the state.
  struct Part: Sendable {
    let path: any AnyKeyPath & Sendable
    /// Writes the current version of the database without the change; rows that have changed since
    /// stay as they are and are conflicts.
    let takeBack: @Sendable (_ versions: Versions, _ state: inout State) throws -> [RowConflict]
    /// Writes the database of another state.
    let copy: @Sendable (_ other: State, _ state: inout State) -> Void
  }

  private let parts = Protected<[Part]>([])

  init() {
    let whole: any KeyPath<State, State> & Sendable = \.self
    add(ifDatabase: whole)
  }

  /// The databases that are known.
  var all: [Part] { parts.withLock { $0 } }

  /// The database at a key path, if it is known.
  func part(at path: any AnyKeyPath & Sendable) -> Part? { all.first { $0.path == path } }

  /// Adds the part at a key path if it is a database.
  func add<Value>(ifDatabase path: any KeyPath<State, Value> & Sendable) {
    if let type = Value.self as? any NormalizedStorageType.Type { add(path, as: type) }
  }

  /// Adds a database.
  func add<Storage: NormalizedStorageType>(_ path: any KeyPath<State, Storage> & Sendable) {
    add(path, as: Storage.self)
  }

  /// Adds the database at a path whose value has that type, unless it is known or cannot be written.
  private func add<Storage: NormalizedStorageType>(
    _ path: any AnyKeyPath & Sendable, as type: Storage.Type
  ) {
    guard path is WritableKeyPath<State, Storage> else { return }
    let part = Part(
      path: path,
      takeBack: { versions, state in
        guard let path = path as? WritableKeyPath<State, Storage> else { return [] }
        let merged = try versions.current[keyPath: path].merging(
          versions.target[keyPath: path], base: versions.origin[keyPath: path],
          by: ThreeWayMerge(otherwise: .mine))
        state[keyPath: path] = merged.storage
        return merged.conflicts
      },
      copy: { other, state in
        guard let path = path as? WritableKeyPath<State, Storage> else { return }
        state[keyPath: path] = other[keyPath: path]
      })
    while true {
      let known = all
      // Comparing paths may run a user's code, so it is done without the lock.
      if known.contains(where: { $0.path == path }) { return }
      let isAdded = parts.withLock { parts in
        guard parts.count == known.count else { return false }
        parts.append(part)
        return true
      }
      if isAdded { return }
    }
  }

  /// Whether two states surely differ in known databases only.
  func containAllChanges(from old: State, to new: State, by equality: Equality<State>) -> Bool {
    let parts = all
    guard equality.isKnown, !parts.isEmpty else { return false }
    var state = old
    for part in parts { part.copy(new, &state) }
    return equality.areSurelyEqual(state, new)
  }
}
