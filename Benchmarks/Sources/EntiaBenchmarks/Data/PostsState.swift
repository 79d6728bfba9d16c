import BenchmarkReport
import EntiaStore
import Foundation

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

extension Contender {
  /// Measures how long a store takes to apply batches that are in a log.
  /// - Parameters:
  ///   - count: The number of batches.
  ///   - state: The state before the batches.
  ///   - isReached: Whether all batches are applied.
  ///   - connect: Connects a store to the log. Returns a function that ends the connection.
  static func catchingUp(
    _ count: Int, from state: PostsState, until isReached: @escaping @Sendable (KeptPosts) -> Bool,
    _ connect: @escaping @Sendable (Store<PostsState, Never>) throws -> @Sendable () -> Void
  ) -> Contender {
    Contender(Names.entia, isComparable: false) { run in
      while run.wantsMore {
        let nanoseconds = try waiting {
          let store = Store<PostsState, Never>(initialState: state)
          let start = DispatchTime.now().uptimeNanoseconds
          let close = try connect(store)
          await store.wait(until: isReached)
          let end = DispatchTime.now().uptimeNanoseconds
          close()
          return Double(end - start)
        }
        run.add(count, nanoseconds: nanoseconds, result: 0)
      }
    }
  }
}
