// A commit that changes nothing but transient members of entities leads to an equal state. It is
// stored, but it is no change: the version keeps its number and metadata, and nothing is posted to
// observers, recorded in the history or passed to middleware.
extension StoreCore {
  /// Replaces the current version by an equal one with other transient members, under the commit
  /// lock.
  @usableFromInline
  func rewrite(_ equal: StateVersion<State>) {
    // The old version is retained until the lock of the broadcaster has been released.
    let old = commitState.current
    commitState.current = equal
    broadcaster.replaceCurrent(by: equal)
    withExtendedLifetime(old) {}
  }
}

extension StateVersion {
  /// Returns this version with an equal value that has other transient members.
  @usableFromInline
  func rewritten(as equal: Value) -> StateVersion {
    StateVersion(equal, version: version, metadata: metadata)
  }
}
