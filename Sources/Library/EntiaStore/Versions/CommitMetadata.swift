/// The name and the context of a commit.
@usableFromInline
struct CommitMetadata: Sendable {
  @usableFromInline var name: String?
  @usableFromInline var context: CommitContext

  @inlinable
  init(name: String? = nil, context: CommitContext = CommitContext()) {
    self.name = name
    self.context = context
  }
}
