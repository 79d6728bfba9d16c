import EntiaDatabase

extension Case {
  static let denormalizedPage = Case(
    "make a page of a post", note: "a struct of entities: author, three comments, their authors",
    bars: [.of(Names.dictionary, 1)]
  ) { stage in
    let blog = try stage.blog.get()
    let ids = stage.postIDs
    return [
      .passes(Names.entia, 20_000, of: ids.count) { sumOfPages(blog, ids, $0) },
      .dictionaryPages(stage, of: ids.count),
    ]
  }

  static let resolvedAgain = Case(
    "resolve a page again", note: "at most 1,000 pages through a resolver, no commit in between",
    bars: [.of(Names.dictionary, (0.25, 0.2, 0.15))]
  ) { stage in
    let blog = try stage.blog.get()
    let ids = stage.postIDs
    let memory = PageMemory()
    return [
      .passes(Names.entia, 20_000, of: stage.shownCount) { memory.sumOfPages(blog, ids, $0) },
      .dictionaryPages(stage, of: stage.shownCount),
    ]
  }

  static let resolvedAfterCommit = Case(
    "resolve a page after a commit",
    note: "each in another version, in which a row differs that is on no page",
    bars: [.of(Names.dictionary, (0.6, 0.5, 0.4))]
  ) { stage in
    let blog = try stage.blog.get()
    var changed = blog
    let ids = stage.postIDs
    try changed.performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: ids[ids.count - 1]) { $0.score &+= 1 }
    }
    let versions = [blog, changed]
    let memory = PageMemory()
    return [
      .passes(Names.entia, 20_000, of: stage.shownCount) {
        memory.sumOfPages(alternating: versions, ids, $0)
      },
      .dictionaryPages(stage, of: stage.shownCount),
    ]
  }
}

extension Contender {
  fileprivate static func dictionaryPages(_ stage: Stage, of count: Int) -> Contender {
    let plain = stage.dictionaryBlog
    let keys = stage.keys
    return .passes(Names.dictionary, 20_000, of: count) { places in
      var sum = 0
      for place in places {
        guard let page = plain.page(of: keys[place]) else { continue }
        blackHole(page)
        sum &+= page.sum
      }
      return sum
    }
  }
}

/// A resolver that a case's turns share.
private final class PageMemory {
  private var resolver = Resolver<Blog>()

  func sumOfPages(_ blog: Blog, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
    var sum = 0
    for place in places {
      guard let page = resolver.resolve(PostPage.self, of: ids[place], in: blog) else { continue }
      blackHole(page)
      sum &+= page.sum
    }
    return sum
  }

  func sumOfPages(
    alternating versions: [Blog], _ ids: [Post.EntityID], _ places: Range<Int>
  ) -> Int {
    var sum = 0
    for place in places {
      let blog = versions[place & 1]
      guard let page = resolver.resolve(PostPage.self, of: ids[place], in: blog) else { continue }
      blackHole(page)
      sum &+= page.sum
    }
    return sum
  }
}

// The hot loop, as a separate function so that its machine code is easy to find.

@inline(never)
func sumOfPages(_ blog: Blog, _ ids: [Post.EntityID], _ places: Range<Int>) -> Int {
  var sum = 0
  for place in places {
    guard let post = blog.view(of: ids[place]) else { continue }
    let page = PostPage(post)
    blackHole(page)
    sum &+= page.sum
  }
  return sum
}
