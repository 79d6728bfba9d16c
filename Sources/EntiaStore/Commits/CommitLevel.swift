/// A commit that was made inside another one: what another call of the outer closure must make again.
@usableFromInline
struct JoinedCommit {
  /// What its closure was given when it was called last.
  let start: AnySnapshot
  /// What its closure made of it; `nil` when it threw.
  let end: AnySnapshot?
  let isChanged: Bool
  /// The commits made inside it in that call.
  let inner: [JoinedCommit]
}

/// An open commit, as seen by the commits inside it.
@usableFromInline
struct CommitLevel {
  /// What the closure was given at first, with the edits of the inner commits.
  @usableFromInline private(set) var joined: AnySnapshot
  /// Whether inner commits have made edits that the closure has not been given.
  @usableFromInline private(set) var hasUnseenEdits = false
  /// What was sent in this call of the closure.
  @usableFromInline var activities: [AnySentActivity] = []
  /// Why the whole commit is refused.
  @usableFromInline var refusal: NestedCommitError?
  /// The inner commits, in order.
  private(set) var inner: [JoinedCommit]
  /// Whether this call must make the inner commits again that there are.
  private(set) var isReplay: Bool
  private var position = 0

  init(start: AnySnapshot, replaying inner: [JoinedCommit]? = nil) {
    joined = start
    self.inner = inner ?? []
    isReplay = inner != nil
  }

  /// Returns the state with every inner edit, which counts as seen from now on.
  mutating func showEdits() -> AnySnapshot {
    hasUnseenEdits = false
    return joined
  }

  /// Prepares for another call of the closure; returns what must be released later.
  mutating func rewind() -> [AnySentActivity] {
    isReplay = true
    position = 0
    let outgrown = activities
    activities = []
    return outgrown
  }

  /// The inner commit that a call of the closure must make next; `nil` when there is none.
  mutating func nextReplayed() -> JoinedCommit? {
    guard position < inner.count else { return nil }
    position += 1
    return inner[position - 1]
  }

  /// Refuses the commit if another call of the closure left out an inner commit with edits.
  mutating func endReplay() {
    if inner[position...].contains(where: \.isChanged) { refuse(.leftOut) }
  }

  /// Refuses the commit; the first reason counts.
  mutating func refuse(_ reason: NestedCommitError.Reason) {
    refusal = refusal ?? NestedCommitError(reason: reason)
  }

  /// Adds an inner commit with the state that it leads to, if it made edits; returns what must be
  /// released later.
  mutating func join(_ commit: JoinedCommit, leadingTo state: AnySnapshot?) -> AnySnapshot? {
    inner.append(commit)
    guard let state else { return nil }
    let outgrown = joined
    joined = state
    hasUnseenEdits = true
    return outgrown
  }
}
