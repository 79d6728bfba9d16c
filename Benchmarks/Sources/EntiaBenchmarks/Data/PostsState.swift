import EntiaStore

/// A state with posts that are kept or shared.
struct PostsState: StateType {
  var posts: KeptPosts
}

extension Store where State == PostsState {
  /// Waits until the posts satisfy a condition.
  func wait(until isReached: @escaping @Sendable (KeptPosts) -> Bool) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let subscription = sinkState(queue: .passthrough) { state in
      if isReached(state.posts) { continuation.finish() }
    }
    for await _ in stream {}
    withExtendedLifetime((self, subscription)) {}
  }
}
