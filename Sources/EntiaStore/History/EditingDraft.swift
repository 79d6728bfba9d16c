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
/// Usable from any thread. Do not save inside a commit to the draft, and do not edit the draft
/// inside a commit to the store from another thread: both would wait for each other.
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
  private let target: Ref<Value>
  private let merge: Merge

  init(of target: Ref<Value>, undoDepth: Int, merge: @escaping Merge) {
    let value = target.value
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
    return contents.scratch != contents.base
  }

  /// Whether the store has changed the part since the draft began or was last saved.
  public var isOutdated: Bool { target.value != base }

  /// A pointer to the draft's value, for editing and observing it.
  public var ref: Ref<Value> { store.ref(\.scratch) }

  /// Changes the draft.
  /// - Parameters:
  ///   - name: What the step is called for undoing.
  ///   - body: Edits the draft.
  /// - Returns: What the closure returns.
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

  /// Commits what the draft changed to the store, and goes on from the result.
  ///
  /// Without changes, it only takes in what the store has.
  ///
  /// - Parameter name: A name for the commit.
  /// - Returns: The conflicts that the merge's rules resolved, and how; empty when there were none.
  /// - Throws: `MergeError` with every conflict that nothing resolves; ``DraftConflict`` for a part
  ///   that is no database; what the rules of the database refuse. The draft and the store are then
  ///   as they were.
  @discardableResult
  public func save(_ name: String? = nil) throws -> [RowConflict] {
    let conflicts = try store.commit { contents in
      let draft = contents
      let saved = try target.update(name) { value in
        let conflicts = try merge(draft.scratch, draft.base, &value)
        return (value: value, conflicts: conflicts)
      }
      contents = Contents(base: saved.value, scratch: saved.value)
      return saved.conflicts
    }
    store.clearHistory()
    return conflicts
  }

  /// Throws the draft's changes away and begins anew from what the store has.
  public func discard() {
    let value = target.value
    store.commit { $0 = Contents(base: value, scratch: value) }
    store.clearHistory()
  }
}
