/// The result of a commit's closure and hooks, before it is published.
@usableFromInline
struct CommitResult<State: Sendable> {
  /// The new version, or `nil` if the state is unchanged.
  @usableFromInline var next: StateVersion<State>?
  /// A version that is equal to the one before, with other transient members.
  @usableFromInline var rewritten: StateVersion<State>?
  /// The reason why the commit is refused.
  @usableFromInline var refusal: (any Error)?
  /// The activities that were sent inside the commit.
  @usableFromInline var activities: [AnySentActivity]

  @inlinable
  init(refusal: (any Error)? = nil, activities: [AnySentActivity] = []) {
    self.refusal = refusal
    self.activities = activities
  }

  /// The version to which the commit leads, or `nil` if the state is the one before.
  @inlinable var version: StateVersion<State>? { next ?? rewritten }
}
