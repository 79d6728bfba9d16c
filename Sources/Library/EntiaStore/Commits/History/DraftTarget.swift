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
  let commit: @Sendable (_ name: String?, _ edit: (inout Value) throws -> Saved) throws -> Saved
  /// Registers the edits of a draft. The edits are the difference between the two values that the
  /// closure returns. The registration ends when the returned object is released.
  let addEdits:
    @Sendable (_ values: @escaping @Sendable () -> (base: Value, scratch: Value))
      -> any AnyObject & Sendable

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
    addEdits = { values in
      let editor = StateEditor<State> { committed in
        var edited = (old: committed, new: committed)
        (edited.old[keyPath: part], edited.new[keyPath: part]) = values()
        return edited
      }
      core.editors.add(editor)
      return editor
    }
  }
}

/// The registration of edits whose rows must not be evicted. These are the edits of a draft, or the
/// unsent edits of a shared database. The creator retains the registration; the store refers to it
/// weakly.
final class StateEditor<State: Sendable>: Sendable {
  /// Returns two states whose difference is the edits; `nil` if there are no edits.
  let edit: @Sendable (_ committed: State) -> (old: State, new: State)?
  /// Returns the rows of those unsent edits that are not in the store yet. `edit` does not return
  /// these edits.
  let editedRows: @Sendable () -> [CollectionRoot]

  init(
    edit: @escaping @Sendable (_ committed: State) -> (old: State, new: State)?,
    editedRows: @escaping @Sendable () -> [CollectionRoot] = { [] }
  ) {
    self.edit = edit
    self.editedRows = editedRows
  }
}
