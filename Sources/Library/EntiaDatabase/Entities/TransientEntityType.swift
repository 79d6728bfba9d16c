/// An entity with transient members: members that are stored with a row, but are no part of its
/// equality, of change sets and of its encoded form.
///
/// ```swift
/// struct Book: TransientEntityType, Identifiable, Codable, Hashable {
///   let id: String
///   var title: String
///   @Transient var isExpanded = false
///   @Transient var preview: AttributedString?
/// }
/// ```
///
/// - Every write of a row stores the row as it is, also if only its transient members are new.
///   Reads of that version and of later ones return it.
/// - Such a write is no change. It is in no change set, versions that differ only in transient
///   members are equal, and no index and no relationship is updated.
/// - Encoding writes no key for such a member; decoding gives it its declared value.
/// - A store keeps a commit that changes only transient members, but the commit is no undo step,
///   and neither middleware nor observers are called. Derived values and live queries may hold an
///   equal row that is older; `store.state` and pointers read the current one. To observe a member,
///   leave it out of `CodingKeys` instead.
/// - `apply`, merges and the save of a draft keep the transient members of the rows that they do
///   not change. A row that they change has those of the version that it is taken from. A row that
///   is merged by member has those of the version that it is merged into. Saving a draft ignores
///   rows of which only transient members differ.
/// - Undo and redo restore the transient members of the version that they restore, unless the
///   database is registered: then the rows that they do not change keep theirs. Registered are a
///   state or a value of a `History` that is itself a database, a draft of a database, and each
///   database in a stored property whose key path has been passed to the store for a pointer, a
///   query, an observer, a draft or the undo of a part. The same holds for the databases in a part
///   that is saved or undone as a whole.
/// - `importJSON` keeps rows that are equal to the imported ones. Other rows that it replaces have
///   the declared values, unless `merging: .keeping(\.isExpanded)` keeps the present ones.
public protocol TransientEntityType: EntityType {}

extension TransientEntityType {
  /// `true`.
  @inlinable
  @inline(__always)
  public static var hasTransientMembers: Bool { true }
}
