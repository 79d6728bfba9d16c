import EntiaCollections
public import EntiaDatabase

extension StorePart {
  /// Returns a draft of a part of the state, which is saved as a whole.
  ///
  /// - Parameters:
  ///   - part: The part, which must not be changed in the store before the draft is saved.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<State, Part> & Sendable, undoDepth: Int = 100
  ) -> EditingDraft<Part> {
    EditingDraft(of: DraftTarget(store.core, wholePath(to: part)), undoDepth: undoDepth) {
      draft, base, target in
      if !haveSameValue(target, base), !haveSameValue(target, draft) {
        throw DraftConflict(
          base: "\(base)", store: "\(target)", draft: "\(draft)", part: "\(Part.self)")
      }
      target = draft
      return []
    }
  }

  /// Returns a draft of a database in the state, which is merged entity by entity; a conflict
  /// refuses the save.
  ///
  /// - Parameters:
  ///   - part: The database, which commits to the store may continue to change.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable, undoDepth: Int = 100
  ) -> EditingDraft<Storage> {
    draft(part, merge: ThreeWayMerge(), undoDepth: undoDepth)
  }

  /// Returns a draft of a database in the state, which is merged entity by entity.
  ///
  /// - Parameters:
  ///   - part: The database, which commits to the store may continue to change.
  ///   - merge: The treatment of rows that both the draft and the store have changed; *mine* is the
  ///     draft, *theirs* the store. If both inserted rows between the same two rows of an ordered
  ///     table, the rows of the store are first. A row that both moved has its position in the
  ///     draft.
  ///   - undoDepth: The maximum number of edits of the draft that can be undone.
  /// - Returns: The draft, which does not affect the store before it is saved.
  public func draft<Storage: NormalizedStorageType>(
    _ part: any WritableKeyPath<State, Storage> & Sendable,
    merge: ThreeWayMerge<Storage>, undoDepth: Int = 100
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
  /// The part before both changes, as text.
  public let base: String
  /// The current part of the store, as text.
  public let store: String
  /// The part of the draft, as text.
  public let draft: String
  /// The type of the part.
  public let part: String

  /// A description of both changes.
  public var description: String {
    "the draft of \(part) cannot be saved: \(base) became \(store) in the store and \(draft) in "
      + "the draft"
  }
}
