import BenchmarkReport
import EntiaDatabase
import EntiaJSON
import Foundation

extension Suite {
  /// A cache that knows the ages of its rows, beside the same rows without ages.
  static let fresh = Suite(
    name: "fresh", summary: "ages of rows, and evictions", bytesPerRow: 3_000,
    cases: [
      .importWithAges, .updateBesideAges, .receiveBesideVersion, .oldest, .evictionPlan,
      .bytesOfAges,
    ])
}

extension Case {
  private static let withoutAges = "without ages"

  static let importWithAges = Case(
    "import with ages, a post", note: "nested authors and comments have ages, too",
    bars: [.of(withoutAges, 1.15)]
  ) { stage in
    let json = json(stage)
    let time = Date(timeIntervalSinceReferenceDate: 1)
    return [
      Contender(Names.entia) { run in
        while run.wantsMore {
          try run.measure(json.posts) {
            var blog = CachedBlog()
            _ = try blog.importJSON(json.source, of: MacroPost.self, receivedAt: time)
            return blog.posts.count
          }
        }
      },
      Contender(withoutAges) { run in
        while run.wantsMore {
          try run.measure(json.posts) { try Suite.generated(json).posts.count }
        }
      },
    ]
  }

  static let updateBesideAges = Case(
    "update one, old version alive", note: "a batch for each", bars: [.of(withoutAges, 1.25)]
  ) { stage in
    [
      try updates(Names.entia, CachedPosts.self, stage),
      try updates(withoutAges, PlainPosts.self, stage),
    ]
  }

  static let receiveBesideVersion = Case(
    "receive one again, old version alive", note: "a batch for each; the others update the row"
  ) { stage in
    var cached = try storage(CachedPosts.self, stage)
    let posts = stage.posts
    let ids = stage.postIDs
    var time = Double(stage.size)
    return [
      .passes(Names.entia, commitsOfPass, of: ids.count) { places in
        for place in places {
          let old = cached
          time += 1
          try cached.performBatchUpdates { context in
            context.modifying.posts.insert(
              posts[ids[place].raw - 1], receivedAt: Date(timeIntervalSinceReferenceDate: time))
          }
          blackHole(old)
        }
        return places.count
      },
      try updates(withoutAges, PlainPosts.self, stage),
    ]
  }

  static let oldest = Case("the 100 oldest", bars: [.absolute(5_000)]) { stage in
    let ages = try storage(CachedPosts.self, stage).postAges
    return [
      Contender(Names.entia) { run in
        while run.wantsMore {
          run.measure(1) {
            var sum = 0
            for id in ages.ids(receivedBefore: .distantFuture).prefix(100) { sum &+= id.raw }
            return sum
          }
        }
      }
    ]
  }

  static let evictionPlan = Case(
    "a plan that evicts 1 %", note: "10,000 roots, or a tenth of the rows if there are fewer",
    bars: [.of("full collection", 0.5)]
  ) { stage in
    let cached = try storage(CachedPosts.self, stage)
    let rootCount = min(10_000, stage.size / 10)
    let roots = [CollectionRoot.entities(stage.postIDs.prefix(rootCount))]
    let size = stage.size + stage.authors.count
    let limit = size - max(1, stage.size / 100)
    return [
      Contender(Names.entia, isComparable: false) { run in
        while run.wantsMore {
          run.measure(1) {
            cached.plan(evictingDownTo: .rows(limit), keeping: roots).removals.count
          }
        }
      },
      Contender("full collection", isComparable: false) { run in
        while run.wantsMore {
          run.measure(1) { cached.collect(roots: roots).removals.count }
        }
      },
    ]
  }

  static let bytesOfAges = Case(
    "bytes of an age", note: "pages of 20 rows", unit: .bytes, bars: [.absolute(24)],
    isCounted: true
  ) { stage in
    let ids = stage.posts.map(\.entityID)
    return [
      .bytes(Names.entia, of: ids.count) {
        var ages = Indexes.Age<Post>()
        for start in stride(from: 0, to: ids.count, by: CachedPosts.pageSize) {
          ages.rowsReceived(
            ids[start..<min(start + CachedPosts.pageSize, ids.count)],
            at: Date(timeIntervalSinceReferenceDate: Double(start)))
        }
        return ages
      }
    ]
  }

  private static func storage<Storage: PostStorage>(
    _ type: Storage.Type, _ stage: Stage
  ) throws -> Storage {
    var storage = Storage()
    try storage.performBatchUpdates { Storage.insert(stage.authors, stage.posts, &$0) }
    return storage
  }

  private static func updates<Storage: PostStorage>(
    _ name: String, _ type: Storage.Type, _ stage: Stage
  ) throws -> Contender {
    var storage = try storage(type, stage)
    let ids = stage.postIDs
    return .passes(name, commitsOfPass, of: ids.count) { places in
      for place in places {
        let old = storage
        try storage.performBatchUpdates { Storage.raiseScore(of: ids[place], &$0) }
        blackHole(old)
      }
      return places.count
    }
  }
}
