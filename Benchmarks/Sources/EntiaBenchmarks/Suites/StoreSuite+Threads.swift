import EntiaDatabase
import EntiaStore
import Foundation

extension Case {
  /// A write changes one row; a read looks up four rows of one version.
  ///
  /// The store keeps the versions before the last 100 writes for undo and for the old states of
  /// observers; there are no observers here. A reader takes a version that does not change. An
  /// actor with a dictionary that does the same work keeps the version before the last write, and a
  /// reader takes the dictionary, so each write copies it.
  ///
  /// Two other actors do less, and show the costs of versions. One keeps no versions, but readers
  /// still take its dictionary, so a write copies it during a read. The other keeps none and
  /// returns none: each read runs inside the actor, and a write changes the dictionary in place.
  /// There is no bar for either: they buy something else.
  static let storeThreads = Case(
    "2 writers and 2 readers, an operation",
    note: "by the clock; a write changes one row, a read finds 4 rows of one version",
    bars: [.of("actor, versions kept", 0.5)]
  ) { stage in
    let store = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let ids = stage.postIDs
    let keys = stage.keys
    let count = stage.isSmoke ? 100 : 20_000
    // If each write copies everything, few operations suffice.
    let copies = min(count, max(4, 4_000_000 / stage.size))
    @Sendable func place(_ lane: Int, _ number: Int) -> Int {
      (lane &* 7_919 &+ number) % keys.count
    }
    @Sendable func write(_ shelf: PostShelf, _ lane: Int, _ number: Int) async {
      await shelf.raiseScore(of: keys[place(lane, number)])
    }
    @Sendable func read(_ shelf: PostShelf, _ lane: Int, _ number: Int) async {
      let posts = await shelf.posts
      var sum = 0
      for next in 0..<4 { sum &+= posts[keys[place(lane, number &+ next)]]?.score ?? 0 }
      blackHole(sum)
    }
    let keeping = PostShelf(stage.dictionary, keepsVersions: true)
    let lending = PostShelf(stage.dictionary)
    let closed = PostShelf(stage.dictionary)
    return [
      .crowd(Names.entia, count) { lane, number in
        if lane < 2 {
          try store.commit { try $0.blog.raiseScore(of: ids[place(lane, number)]) }
        } else {
          let posts = store.state.blog.posts
          var sum = 0
          for next in 0..<4 {
            sum &+= posts.find(by: ids[place(lane, number &+ next)])?.score ?? 0
          }
          blackHole(sum)
        }
      },
      .crowd("actor, versions kept", copies) { lane, number in
        if lane < 2 {
          await write(keeping, lane, number)
        } else {
          await read(keeping, lane, number)
        }
      },
      .crowd("actor, versions lent", count) { lane, number in
        if lane < 2 {
          await write(lending, lane, number)
        } else {
          await read(lending, lane, number)
        }
      },
      .crowd("actor, no versions", count) { lane, number in
        if lane < 2 {
          await write(closed, lane, number)
        } else {
          blackHole(await closed.sum { keys[place(lane, number &+ $0)] })
        }
      },
    ]
  }
}

extension Case {
  /// The observer reads the query's result on the thread of each commit that changes it.
  static let storeQueried = Case(
    "4 writers with one observed query, an operation",
    note: "by the clock; each write changes one row; the 50 first of a sorted index are observed",
    bars: [.of("no query", 1 / 0.7)]
  ) { stage in
    let observed = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let plain = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let ids = stage.postIDs
    let count = stage.isSmoke ? 100 : 20_000
    let top = observed.query(
      FetchDescriptor<Post>(sortBy: [SortDescriptor(\.views, order: .reverse)], fetchLimit: 50),
      in: \.blog)
    let subscription = top.sinkState(dropsFirst: true, queue: .passthrough) { result in
      blackHole(result.primitive.count)
    }
    @Sendable func id(_ lane: Int, _ number: Int) -> Post.EntityID {
      ids[(lane &* 7_919 &+ number) % ids.count]
    }
    return [
      .crowd(Names.entia, count) { lane, number in
        try observed.commit { try $0.blog.mirrorViews(of: id(lane, number)) }
        if number == count - 1 { blackHole(subscription) }
      },
      .crowd("no query", count) { lane, number in
        try plain.commit { try $0.blog.mirrorViews(of: id(lane, number)) }
      },
    ]
  }
}

/// The alternative in apps: a dictionary that an actor isolates.
private actor PostShelf {
  private(set) var posts: [Int: Post]
  private var former: [Int: Post]?
  private let keepsVersions: Bool

  init(_ posts: [Int: Post], keepsVersions: Bool = false) {
    self.posts = posts
    self.keepsVersions = keepsVersions
  }

  func raiseScore(of key: Int) {
    if keepsVersions { former = posts }
    posts.raiseScore(of: key)
  }

  func sum(_ key: @Sendable (Int) -> Int) -> Int {
    (0..<4).reduce(0) { $0 &+ (posts[key($1)]?.score ?? 0) }
  }
}

extension Contender {
  /// Performs a number of operations in each of four concurrent tasks.
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
