/// The result of a commit's closure and hooks, before it is published.
@usableFromInline
struct CommitResult<State: Sendable> {
  /// The new version, or `nil` if the state is unchanged.
  @usableFromInline var next: StateVersion<State>?
  /// The reason why the commit is refused.
  @usableFromInline var refusal: (any Error)?
  /// The activities that were sent inside the commit.
  @usableFromInline var activities: [AnySentActivity]

  @inlinable
  init(refusal: (any Error)? = nil, activities: [AnySentActivity] = []) {
    self.refusal = refusal
    self.activities = activities
  }
}
