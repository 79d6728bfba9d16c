import EntiaDatabase

/// The part of a store's state that a draft is saved to.
struct DraftTarget<Value: Equatable & Sendable>: Sendable {
  /// The value of the part after a save, and the conflicts that were resolved.
  struct Saved: Sendable {
    let value: Value
    let conflicts: [RowConflict]
  }

  /// The part in the committed state, without optimistic layers.
  let committed: @Sendable () -> Value
  /// Commits an edit of the part.
  let commit: @Sendable (_ name: String?, _ edit: (inout Value) throws -> Saved) throws -> Saved

  init<State, Activity>(
    _ core: StoreCore<State, Activity>, _ part: any WritableKeyPath<State, Value> & Sendable
  ) {
    core.databases.add(ifDatabase: part)
    committed = { core.committed.value[keyPath: part] }
    commit = { name, edit in
      try core.commitOrThrow(CommitRequest(name: name, at: "the saving of a draft")) { state in
        try edit(&state[keyPath: part])
      }
    }
  }
}
