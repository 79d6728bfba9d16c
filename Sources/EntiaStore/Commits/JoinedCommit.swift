/// A nested commit, which another call of the outer closure must repeat.
@usableFromInline
struct JoinedCommit {
  /// The state that its closure was last called with.
  let start: AnyStateVersion
  /// The state after the closure, or `nil` if it threw.
  let end: AnyStateVersion?
  let isChanged: Bool
  /// The commits nested in it during that call.
  let inner: [JoinedCommit]
}
