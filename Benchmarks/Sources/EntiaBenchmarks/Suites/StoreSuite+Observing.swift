import EntiaDatabase
import EntiaStore
import Foundation

extension Case {
  static let storeObserved = Case(
    "commit of one row beside many observers",
    note: "of 100,000 other rows, of half of them where there are fewer",
    bars: [.of("no observers", 1.15)]
  ) { stage in
    let count = min(100_000, stage.size / 2)
    let observed = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let plain = Store<BlogState, Never>(initialState: BlogState(blog: try stage.blog.get()))
    let called = CallCounter()
    let subscriptions = stage.postIDs.prefix(count).map { id in
      observed.entity(id, in: \.blog).sinkState(dropsFirst: true, queue: .passthrough) { _ in
        called.count += 1
      }
    }
    let others = Array(stage.postIDs.dropFirst(count))
    return [
      .passes(Names.entia, 64, of: others.count) { places in
        for place in places { try observed.commit { try $0.blog.raiseScore(of: others[place]) } }
        blackHole(subscriptions)
        return called.count == 0 ? places.count : 0
      },
      .commits("no observers", to: plain, others),
    ]
  }

  static let liveQueries = Case(
    "commit that one of many live queries sees",
    note: "10,000 of them, or one a row, each for one value of an indexed field",
    bars: [.of("one query", 1.5)]
  ) { stage in
    let posts = stage.posts
    let views = Set(posts.prefix(10_000).map(\.views)).sorted()
    let id = posts[0].entityID
    return [
      .liveQueries(Names.entia, stage, views, changing: id),
      .liveQueries("one query", stage, [posts[0].views], changing: id),
    ]
  }

  static let liveTop = Case(
    "top 50 kept live, after an update", note: "the update is part of it",
    bars: [.atMillion(of: Names.dictionary, 0.001)]
  ) { stage in
    let store = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let ids = stage.postIDs
    let top = store.query(
      FetchDescriptor<Post>(sortBy: [SortDescriptor(\.views, order: .reverse)], fetchLimit: 50),
      in: \.blog)
    return [
      .passes(Names.entia, 64, of: ids.count, checked: stage.topChecks) { places in
        var sum = 0
        for place in places {
          try store.commit { try $0.blog.mirrorViews(of: ids[place]) }
          for post in top.value { sum &+= post.views }
        }
        return sum
      },
      .sortedTop(stage),
    ]
  }

  static let liveTopUnchanged = Case(
    "commit of a row that cannot enter a live top 50",
    note: "observed, by an index; beside a commit to the same database without a query",
    bars: [.of("no query", 1, plus: 1_000)]
  ) { stage in
    let observed = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let plain = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let called = CallCounter()
    let top = observed.query(
      FetchDescriptor<Post>(sortBy: [SortDescriptor(\.views, order: .reverse)], fetchLimit: 50),
      in: \.blog)
    let subscription = top.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      called.count += 1
    }
    let shown = Set(top.value.map(\.id))
    let ids = stage.postIDs.filter { !shown.contains($0.raw) }
    return [
      .passes(Names.entia, 64, of: ids.count) { places in
        for place in places { try observed.commit { try $0.blog.raiseScore(of: ids[place]) } }
        blackHole(subscription)
        return called.count == 0 ? places.count : 0
      },
      .passes("no query", 64, of: ids.count) { places in
        for place in places { try plain.commit { try $0.blog.raiseScore(of: ids[place]) } }
        return places.count
      },
    ]
  }

  static let derivedRead = Case(
    "read of a derived value", note: "without a commit in between", bars: [.of("state", 2)]
  ) { stage in
    let store = Store<BlogState, Never>(
      initialState: BlogState(blog: try stage.blog.get(), selected: 1))
    let derived = store.derived(.map { $0.selected })
    return [
      .passes(Names.entia, 20_000, of: stage.size) { places in
        var sum = 0
        for _ in places { sum &+= derived.value }
        return sum
      },
      .passes("state", 20_000, of: stage.size) { places in
        var sum = 0
        for _ in places { sum &+= store.state.selected }
        return sum
      },
    ]
  }
}

/// Counts calls on the committing thread.
private final class CallCounter: @unchecked Sendable {
  // Unchecked because the benchmark has one thread, on which observers are called.
  var count = 0
}

extension Contender {
  /// Updates one row while the live queries for some values are observed.
  fileprivate static func liveQueries(
    _ name: String, _ stage: Stage, _ views: [Int], changing id: Post.EntityID
  ) -> Contender {
    let store = Store<RankedState, Never>(
      initialState: RankedState(blog: RankedBlog(stage.posts)))
    let called = CallCounter()
    let subscriptions = views.map { wanted in
      store.query(
        FetchDescriptor<Post>(predicate: #Predicate { $0.views == wanted }), in: \.blog
      ).sinkState(dropsFirst: true, queue: .passthrough) { _ in called.count += 1 }
    }
    return .passes(name, 64, of: stage.size) { places in
      let before = called.count
      for _ in places {
        try store.commit { state in
          try state.blog.performBatchUpdates { context in
            _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
          }
        }
      }
      blackHole(subscriptions)
      return called.count - before
    }
  }
}
