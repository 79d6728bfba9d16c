import EntiaDatabase
import EntiaStore
import Foundation

extension Case {
  static let storeThreads = Case(
    "2 writers and 2 readers, an operation",
    note: "by the clock; a write changes one row, a read finds one",
    bars: [.of("actor", 0.5)]
  ) { stage in
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let shelf = PostShelf(stage.dictionary)
    let ids = stage.postIDs
    let keys = stage.keys
    let count = stage.isSmoke ? 100 : 20_000
    return [
      .crowd(Names.entia, count) { lane, number in
        let id = ids[(lane &* 7_919 &+ number) % ids.count]
        if lane < 2 {
          try store.commit { try $0.blog.raiseScore(of: id) }
        } else {
          blackHole(store.state.blog.posts.find(by: id)?.score)
        }
      },
      .crowd("actor", count) { lane, number in
        let key = keys[(lane &* 7_919 &+ number) % keys.count]
        if lane < 2 {
          await shelf.raiseScore(of: key)
        } else {
          blackHole(await shelf.score(of: key))
        }
      },
    ]
  }
}

/// What apps use instead: a dictionary that an actor isolates.
private actor PostShelf {
  private var posts: [Int: Post]

  init(_ posts: [Int: Post]) { self.posts = posts }

  func raiseScore(of key: Int) { posts.raiseScore(of: key) }
  func score(of key: Int) -> Int? { posts[key]?.score }
}

extension Contender {
  /// Does so many operations in each of four tasks at once.
  fileprivate static func crowd(
    _ name: String, _ count: Int, _ body: @escaping @Sendable (Int, Int) async throws -> Void
  ) -> Contender {
    Contender(name, isComparable: false) { run in
      let start = DispatchTime.now()
      let finished = DispatchSemaphore(value: 0)
      Task {
        await withThrowingTaskGroup(of: Void.self) { group in
          for lane in 0..<4 {
            group.addTask { for number in 0..<count { try await body(lane, number) } }
          }
        }
        finished.signal()
      }
      finished.wait()
      let nanoseconds = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
      run.record(Double(nanoseconds) / Double(4 * count))
    }
  }
}
