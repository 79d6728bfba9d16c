/// An open commit, from the point of view of the commits nested in it.
@usableFromInline
struct CommitLevel {
  /// The state that the closure was first called with, including the edits of nested commits.
  @usableFromInline private(set) var joined: AnyStateVersion
  /// Whether nested commits have made edits that the closure's state does not contain.
  @usableFromInline private(set) var hasUnseenEdits = false
  /// The activities sent during this call of the closure.
  @usableFromInline var activities: [AnySentActivity] = []
  /// The reason why the whole commit is refused.
  @usableFromInline var refusal: NestedCommitError?
  /// The nested commits, in order.
  private(set) var inner: [JoinedCommit]
  /// Whether this call must repeat the existing nested commits.
  private(set) var isReplay: Bool
  private var position = 0

  init(start: AnyStateVersion, replaying inner: [JoinedCommit]? = nil) {
    joined = start
    self.inner = inner ?? []
    isReplay = inner != nil
  }

  /// Returns the state with all nested edits, and marks them as seen.
  mutating func showEdits() -> AnyStateVersion {
    hasUnseenEdits = false
    return joined
  }

  /// Prepares for another call of the closure. Returns the activities to release later.
  mutating func rewind() -> [AnySentActivity] {
    isReplay = true
    position = 0
    let replaced = activities
    activities = []
    return replaced
  }

  /// Returns the nested commit that the closure must make next, or `nil` if there is none.
  mutating func nextReplayed() -> JoinedCommit? {
    guard position < inner.count else { return nil }
    position += 1
    return inner[position - 1]
  }

  /// Refuses the commit if the repeated call of the closure omitted a nested commit with edits.
  mutating func endReplay() {
    if inner[position...].contains(where: \.isChanged) { refuse(.leftOut) }
  }

  /// Refuses the commit; the first reason is kept.
  mutating func refuse(_ reason: NestedCommitError.Reason) {
    refusal = refusal ?? NestedCommitError(reason: reason)
  }

  /// Adds a nested commit, with the resulting state if it made edits. Returns the state to release
  /// later.
  mutating func join(_ commit: JoinedCommit, leadingTo state: AnyStateVersion?) -> AnyStateVersion?
  {
    inner.append(commit)
    guard let state else { return nil }
    let replaced = joined
    joined = state
    hasUnseenEdits = true
    return replaced
  }
}
