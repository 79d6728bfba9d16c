import EntiaCollections
public import EntiaDatabase

/// A draft of a part of a store's state: edited separately, then saved or discarded.
///
/// ```swift
/// let draft = store.draft(\.library)
/// try draft.ref[entity: id].update { $0?.title = "New title" }
/// draft.hasChanges
/// try draft.save()                 // merges with the current store
/// draft.discard()                  // or starts again from the current store
/// ```
///
/// The store accepts other commits while there is a draft. Saving a database merges entity by
/// entity. If the draft and the store have changed the same value differently, the conflict is
/// reported and nothing is overwritten. A part that is not a database is saved as a whole, if the
/// store has not changed it since the draft began.
///
/// A draft begins with the committed state, without optimistic layers.
///
/// A draft can be used from any thread, but two cases can deadlock:
/// - saving the draft inside a commit to the draft;
/// - editing the draft inside a commit to the store, while another thread uses the draft.
///
/// Observers of the store may edit the draft while it is saved. Their edits remain in the draft,
/// unsaved.
public final class EditingDraft<Value: Equatable & Sendable>: Sendable {
  struct Contents: Equatable, Sendable {
    /// The value at the start of the draft, or after the last save.
    var base: Value
    var scratch: Value
  }

  /// Merges the changes from `base` to `draft` into `target`, which is the current value of the
  /// store. Returns the resolved conflicts.
  typealias Merge =
    @Sendable (
      _ draft: Value, _ base: Value, _ target: inout Value
    ) throws -> [RowConflict]

  /// A comparison that includes ages and answers, which a save must neither lose nor overwrite.
  private let equality = Equality<Value>(isThorough: true)
  private let store: Store<Contents, Never>
  private let target: DraftTarget<Value>
  private let merge: Merge
  /// The registration of the edits in the store, so that no edited row is evicted.
  private let edits: any AnyObject & Sendable

  init(of target: DraftTarget<Value>, undoDepth: Int, merge: @escaping Merge) {
    let value = target.committed()
    store = Store(initialState: Contents(base: value, scratch: value), undoDepth: undoDepth)
    let scratch: any WritableKeyPath<Contents, Value> & Sendable = \.scratch
    store.core.databases.add(ifDatabase: scratch)
    self.target = target
    self.merge = merge
    edits = target.addEdits { [store] in
      let contents = store.state
      return (contents.base, contents.scratch)
    }
  }

  /// The current value of the draft, which does not affect the store before it is saved.
  public var value: Value { store.state.scratch }

  /// The value at the start of the draft, or after the last save.
  public var base: Value { store.state.base }

  /// Whether the draft differs from its base by `==`, which ignores ages and answers.
  /// - Complexity: The same as a comparison; O(changes · log *n*) for a database.
  public var hasChanges: Bool {
    let contents = store.state
    return !haveSameValue(contents.scratch, contents.base)
  }

  /// Whether the store has changed the part, its ages or answers since the draft began or was last
  /// saved.
  public var isOutdated: Bool { !equality.areSurelyEqual(target.committed(), base) }

  /// A pointer to the draft's value, for editing and observing it.
  public var ref: Ref<Value> { store.ref(\.scratch) }

  /// Changes the draft.
  /// - Parameters:
  ///   - name: The name of the undo step.
  ///   - body: A closure that edits the draft.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure; the draft is then unchanged.
  @discardableResult
  public func update<Result>(
    _ name: String? = nil, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try store.commit(name) { try body(&$0.scratch) }
  }

  /// Undoes the last edit of the draft since its start or the last save.
  /// - Returns: Whether there was an edit to undo.
  @discardableResult
  public func undo() -> Bool { store.undo() }

  /// Redoes the last undone edit of the draft.
  /// - Returns: Whether there was an edit to redo.
  @discardableResult
  public func redo() -> Bool { store.redo() }

  /// Commits the changes of the draft to the store, and continues the draft with the result.
  ///
  /// A draft without changes only adopts the value of the store. Edits that are made to the draft
  /// during the save, for example by an observer of the store, remain in the draft for the next
  /// save. The undo steps of the draft are removed in any case.
  ///
  /// - Parameter name: A name for the commit.
  /// - Returns: The conflicts that the rules of the merge resolved, and the resolutions; empty if
  ///   there were none.
  /// - Throws: `MergeError` with every unresolved conflict; ``DraftConflict`` for a part that is
  ///   not a database; the refusal of a rule of the database or of a ``StoreMiddleware``. The draft
  ///   and the store are then unchanged.
  @discardableResult
  public func save(_ name: String? = nil) throws -> [RowConflict] {
    // The store's observers run before `commit` returns and may edit the draft, so the draft's
    // commit lock must not be held here.
    let draft = store.state
    let saved = try target.commit(name) { value in
      let conflicts = try merge(draft.scratch, draft.base, &value)
      return DraftTarget.Saved(value: value, conflicts: conflicts)
    }
    // The committed value may differ from `saved.value`, because a hook of the store may change it.
    let value = target.committed()
    store.commit { proceed(&$0, from: draft, to: value) }
    store.clearHistory()
    return saved.conflicts
  }

  /// Adopts the result of a save, and keeps the edits made since the save began.
  private func proceed(_ contents: inout Contents, from saved: Contents, to value: Value) {
    var scratch = value
    if !Equality(isThorough: true).areSurelyEqual(contents, saved) {
      do {
        _ = try merge(contents.scratch, saved.scratch, &scratch)
      } catch {
        // The edits since the beginning of the save conflict with the saved value. These edits stay
        // in the draft, and the next save reports the conflicts.
        contents.base = saved.scratch
        return
      }
    }
    contents = Contents(base: value, scratch: scratch)
  }

  /// Discards the draft's changes and continues with the value of the store.
  public func discard() {
    let value = target.committed()
    store.commit { $0 = Contents(base: value, scratch: value) }
    store.clearHistory()
  }
}

extension StorePart {
  /// Returns a draft of a part of the state. Saving the draft replaces the whole part.
  ///
  /// - Parameters:
  ///   - part: The part, which must not be changed in the store before the draft is saved.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  @_disfavoredOverload
  public func draft<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable, undoDepth: Int = 100
  ) -> EditingDraft<Part> {
    let equality = Equality<Part>(isThorough: true)
    return EditingDraft(of: DraftTarget(store.core, wholePath(to: part)), undoDepth: undoDepth) {
      draft, base, target in
      if equality.areSurelyEqual(draft, base) { return [] }
      if !equality.areSurelyEqual(target, base), !equality.areSurelyEqual(target, draft) {
        throw DraftConflict(
          base: "\(base)", store: "\(target)", draft: "\(draft)", part: "\(Part.self)")
      }
      target = draft
      return []
    }
  }

  /// Returns a draft of a database in the state. Saving the draft merges its changes entity by
  /// entity. By default, a conflict refuses the save.
  ///
  /// - Parameters:
  ///   - part: The database. The store may change it before the draft is saved.
  ///   - merge: The treatment of rows that both the draft and the store have changed. In the merge,
  ///     *mine* is the draft and *theirs* is the store. If both have inserted rows between the same
  ///     two rows of an ordered table, the rows of the store come first. If both have moved a row,
  ///     the row gets its position in the draft.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable,
    merge: ThreeWayMerge<Storage> = ThreeWayMerge(), undoDepth: Int = 100
  ) -> EditingDraft<Storage> {
    EditingDraft(of: DraftTarget(store.core, wholePath(to: part)), undoDepth: undoDepth) {
      draft, base, target in
      let result = try target.merging(draft, base: base, by: merge.reversed)
      target = result.storage
      return result.conflicts
    }
  }
}

/// The error of saving a part that the store has changed differently from the draft.
public struct DraftConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The value of the part before the changes of the store and of the draft, as text.
  let base: String
  /// The current value of the part in the store, as text.
  let store: String
  /// The value of the part in the draft, as text.
  let draft: String
  /// The type of the part.
  let part: String

  /// A description of the changes of the store and of the draft.
  public var description: String {
    "the draft of \(part) cannot be saved: \(base) became \(store) in the store and \(draft) in "
      + "the draft"
  }
}
