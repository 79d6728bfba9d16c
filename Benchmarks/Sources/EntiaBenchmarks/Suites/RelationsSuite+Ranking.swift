import EntiaDatabase
import Foundation

extension Case {
  static let topOfIndex = Case(
    "top 50 after an update", note: "by a sorted index; the update is part of it", bars: topBars
  ) { stage in
    var blog = RankedBlog(stage.posts)
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 64, of: ids.count, checked: stage.topChecks) { places in
        var sum = 0
        for place in places {
          let old = blog
          try blog.mirrorViews(of: ids[place])
          sum &+= sumOfTopViews(blog)
          blackHole(old)
        }
        return sum
      },
      .sortedTop(stage),
    ] + (try .sqliteTop(stage))
  }

  static let topByFetch = Case(
    "fetch the top 50 after an update", note: "by a descriptor; the update is part of it",
    bars: topBars
  ) { stage in
    var blog = RankedBlog(stage.posts)
    let ids = stage.postIDs
    let descriptor = FetchDescriptor<Post>(
      sortBy: [SortDescriptor(\.views, order: .reverse)], fetchLimit: 50)
    return [
      .passes(Names.entia, 64, of: ids.count, checked: stage.topChecks) { places in
        var sum = 0
        for place in places {
          let old = blog
          try blog.mirrorViews(of: ids[place])
          for post in blog.fetch(descriptor) { sum &+= post.views }
          blackHole(old)
        }
        return sum
      },
      .sortedTop(stage),
    ] + (try .sqliteTop(stage))
  }

  private static let topBars: [Bar] = [
    .atMillion(of: Names.dictionary, 0.001), .of(Names.sqlite, 0.5),
  ]
}

extension Stage {
  /// The number of updates in a check, each of which sorts all posts.
  var topChecks: Int { max(2, min(Run.checkedOperations, 1_000_000 / size)) }
}

extension Contender {
  /// Filters and sorts all posts after each update.
  static func sortedTop(_ stage: Stage) -> Contender {
    var posts = Stage.dictionary(stage.posts)
    let keys = stage.keys
    return .passes(Names.dictionary, 1, of: keys.count, checked: stage.topChecks) { places in
      var sum = 0
      for place in places {
        posts[keys[place]]?.mirrorViews()
        let ranked = posts.values.filter { $0.views > 0 }.sorted { $0.views > $1.views }
        for post in ranked.prefix(50) { sum &+= post.views }
      }
      return sum
    }
  }
}

extension RankedBlog {
  mutating func mirrorViews(of id: Post.EntityID) throws {
    try performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.mirrorViews() }
    }
  }
}

// The hot loop, as a separate function so that its machine code is easy to find.

@inline(never)
func sumOfTopViews(_ blog: RankedBlog) -> Int {
  var sum = 0
  for id in blog.postsByViews.ids().reversed().prefix(50) {
    sum &+= blog.posts.find(by: id)?.views ?? 0
  }
  return sum
}
