public import EntiaDatabase
public import EntiaStore

extension StoreComponentType {
  /// Saves a part of the state into a file: now if it differs from the file, and after each commit.
  ///
  /// ```swift
  /// let file = try DatabaseFile<Library>(path: "library.sqlite")
  /// let store = Store<AppState, Never>(initialState: AppState(library: try file.load()))
  /// let keeper = try store.keep(\.library, in: file)
  /// ```
  ///
  /// A commit does not wait, because saves run on a thread of their own. The first commit is saved
  /// at once. The commits during a save and in the hundredth of a second after it become one
  /// further save. ``DatabaseKeeper/saved()``, ``DatabaseKeeper/flush(timeout:)``,
  /// ``DatabaseFile/close()`` and the end of the keeper begin that save at once. Undoing and
  /// redoing are saved like other commits. The undo steps are not saved, so nothing can be undone
  /// after a restart. Optimistic layers are saved once they are confirmed.
  ///
  /// Several parts of a state can be kept in several storages of one file, each with its own name.
  /// Each part needs one call; see ``DatabaseFile/init(named:in:migrations:)``. A commit that
  /// changes several of these parts is saved in one transaction. Parts in several files are saved
  /// one after the other.
  ///
  /// A failed save is reported to `onProblem(_:)` once for each reason. It is tried again after a
  /// tenth of a second, and then after delays that double up to four seconds. If a row cannot be
  /// encoded, the save is tried again after the next commit.
  /// - Parameters:
  ///   - part: The part of the state.
  ///   - file: The file. While it is kept, a direct save is refused.
  ///   - replacing: Whether to remove rows in the file that have not been loaded.
  /// - Returns: The keeper. The saves end when the keeper or the store is released; the commits
  ///   made before are still saved. ``DatabaseKeeper/storeWhileSourceActive()`` makes the store
  ///   retain the keeper.
  /// - Throws: `DatabaseFileError`: `notLoaded` when the file has rows that were not loaded;
  ///   `tablesAreUnmatched` when a table may have been renamed without a migration; `isKept` when
  ///   the storage in the file has a keeper; `partIsKept` when the part of the state has a keeper;
  ///   `isReadOnly`, `isClosed`.
  /// - Complexity: A commit adds a comparison in O(1). A save is O(changes · log *n*).
  public func keep<Storage: NormalizedStorageType>(
    _ part: any KeyPath<State, Storage> & Sendable, in file: DatabaseFile<Storage>,
    replacing: Bool = false
  ) throws -> DatabaseKeeper {
    try keep(part, in: file, replacing: replacing, timer: .system)
  }

  func keep<Storage: NormalizedStorageType>(
    _ path: any KeyPath<State, Storage> & Sendable, in file: DatabaseFile<Storage>,
    replacing: Bool, timer: SaveTimer
  ) throws -> DatabaseKeeper {
    while true {
      let saves = file.session.keeper(of: committedStateID) {
        SaveQueue(file: file.path, timer: timer)
      }
      let part = KeptPart(saves)
      let work = try work(of: path, part, in: file, replacing: replacing)
      if saves.start(part, work) { return DatabaseKeeper(part) }
      // All parts of `saves` have ended since `keeper(of:)` returned `saves`. The next iteration
      // creates another queue.
      work.observation.end()
    }
  }

  private func work<Storage: NormalizedStorageType>(
    of path: any KeyPath<State, Storage> & Sendable, _ part: KeptPart,
    in file: DatabaseFile<Storage>, replacing: Bool
  ) throws -> SaveWork {
    let loaded = try file.setKeeper(part, replacing: replacing)
    let observed = observeCommits(
      of: path, onCommit: { [weak saves = part.saves] in saves?.noteCommit() },
      onEnd: { [weak part] in if let part { part.saves.end(part) } })
    guard let observed else {
      file.removeKeeper()
      throw DatabaseFileError.partIsKept(file: file.path)
    }
    let saved = Mutex(loaded)
    return SaveWork(
      observation: observed.observation, session: file.session,
      isSaved: { state in
        guard let saved = saved.withLock({ $0 }) else { return false }
        return observed.value(in: state).snapshot.isIdentical(to: saved.snapshot)
      },
      saving: { file.saving(observed.value(in: $0), replacing: replacing, isKeeper: true) },
      noteSaved: { state in
        let version = observed.value(in: state)
        let former = saved.withLock { saved in
          let former = saved
          saved = version
          return former
        }
        withExtendedLifetime(former) {}
      })
  }
}
