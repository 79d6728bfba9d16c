import EntiaCollections
public import EntiaDatabase

/// A scratch version of a part of a store's state: edited apart, then saved or discarded.
///
/// ```swift
/// let draft = store.draft(\.library)
/// try draft.ref[entity: id].update { $0?.title = "New title" }
/// draft.hasChanges
/// try draft.save()                 // merges with what the store has by now
/// draft.discard()                  // or begins anew from what the store has by now
/// ```
///
/// Other commits to the store go on meanwhile. Saving a database merges entity by entity; what both
/// sides changed, each in its own way, is a conflict, which is reported and never overwritten. A
/// part that is no database is saved as a whole, when the store has not changed it meanwhile.
///
/// A draft begins with the committed state: what optimistic layers show is no part of it.
///
/// Usable from any thread. Do not save inside a commit to the draft, and do not edit the draft
/// inside a commit to the store from another thread: both would wait for each other. Observers of the
/// store may edit the draft while it is saved: what they edit stays in the draft, unsaved.
public final class EditingDraft<Value: Equatable & Sendable>: Sendable {
  struct Contents: Equatable, Sendable {
    /// What the draft began with, or was last saved as.
    var base: Value
    var scratch: Value
  }

  /// Brings the draft and what is in the store now together; `target` is edited.
  typealias Merge =
    @Sendable (
      _ draft: Value, _ base: Value, _ target: inout Value
    ) throws -> [RowConflict]

  private let store: Store<Contents, Never>
  private let target: DraftTarget<Value>
  private let merge: Merge

  init(of target: DraftTarget<Value>, undoDepth: Int, merge: @escaping Merge) {
    let value = target.committed()
    store = Store(initialState: Contents(base: value, scratch: value), undoDepth: undoDepth)
    self.target = target
    self.merge = merge
  }

  /// The draft as it is now; the store knows nothing of it before it is saved.
  public var value: Value { store.state.scratch }

  /// What the draft began with, or was last saved as.
  public var base: Value { store.state.base }

  /// Whether the draft differs from what it began with.
  /// - Complexity: That of a comparison; O(changes · log *n*) for a database.
  public var hasChanges: Bool {
    let contents = store.state
    return !haveSameValue(contents.scratch, contents.base)
  }

  /// Whether the store has changed the part since the draft began or was last saved.
  public var isOutdated: Bool { !haveSameValue(target.committed(), base) }

  /// A pointer to the draft's value, for editing and observing it.
  public var ref: Ref<Value> { store.ref(\.scratch) }

  /// Changes the draft.
  /// - Parameters:
  ///   - name: What the step is called for undoing.
  ///   - body: Edits the draft.
  /// - Returns: The result of the closure.
  /// - Throws: What the closure throws; the draft is then as it was.
  @discardableResult
  public func update<Result>(
    _ name: String? = nil, _ body: (inout Value) throws -> Result
  ) rethrows -> Result {
    try store.commit(name) { try body(&$0.scratch) }
  }

  /// Takes back the last edit of the draft since it began or was last saved.
  /// - Returns: Whether there was one.
  @discardableResult
  public func undo() -> Bool { store.undo() }

  /// Does again what was undone last in the draft.
  /// - Returns: Whether there was something.
  @discardableResult
  public func redo() -> Bool { store.redo() }

  /// Commits what the draft changed to the store, and continues from the result.
  ///
  /// Without changes, it only takes in what the store has. Edits of the draft that are made while it
  /// is saved, for example by an observer of the store, stay in the draft for the next save; the steps
  /// to undo are forgotten either way.
  ///
  /// - Parameter name: A name for the commit.
  /// - Returns: The conflicts that the merge's rules resolved, and how; empty when there were none.
  /// - Throws: ``DraftError`` inside a commit of the store; `MergeError` with every conflict that
  ///   nothing resolves; ``DraftConflict`` for a part that is no database; what the rules of the database or a ``StoreMiddleware`` refuse. The draft
  ///   and the store are then as they were.
  @discardableResult
  public func save(_ name: String? = nil) throws -> [RowConflict] {
    // Whether that commit succeeds is not known yet, and its closure may run twice.
    if target.isInsideCommit() { throw DraftError.insideCommit(part: "\(Value.self)") }
    // The store's observers run inside the commit, so the draft's turn must not be held here.
    let draft = store.state
    let saved = try target.commit(name) { value in
      let conflicts = try merge(draft.scratch, draft.base, &value)
      return DraftTarget.Saved(value: value, conflicts: conflicts)
    }
    // Hooks of the store may have changed more.
    let value = target.committed()
    store.commit { proceed(&$0, from: draft, to: value) }
    store.clearHistory()
    return saved.conflicts
  }

  /// Takes over what a save made, and keeps the edits made since the save began.
  private func proceed(_ contents: inout Contents, from saved: Contents, to value: Value) {
    var scratch = value
    if !haveSameValue(contents, saved) {
      do {
        _ = try merge(contents.scratch, saved.scratch, &scratch)
      } catch {
        // The edits contradict what the store has: the next save throws that.
        contents.base = saved.scratch
        return
      }
    }
    contents = Contents(base: value, scratch: scratch)
  }

  /// Discards the draft's changes and begins anew from what the store has.
  public func discard() {
    let value = target.committed()
    store.commit { $0 = Contents(base: value, scratch: value) }
    store.clearHistory()
  }
}
