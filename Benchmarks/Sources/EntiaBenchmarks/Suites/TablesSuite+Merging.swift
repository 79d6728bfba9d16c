import EntiaDatabase

extension Case {
  static let merge = Case(
    "merge of 1,000 rows that both changed", note: "one member on each side",
    bars: [.of("by hand", 3)], isScaled: false
  ) { stage in
    let posts = Array(stage.posts.prefix(1_000))
    let base = KeptPosts(posts)
    var (mine, theirs) = (base, base)
    mine.performBatchUpdates { context in
      for post in posts {
        context.modifying.posts.updateIfExists(id: post.entityID) { $0.score &+= 1 }
      }
    }
    theirs.performBatchUpdates { context in
      for post in posts {
        context.modifying.posts.updateIfExists(id: post.entityID) { $0.name += "!" }
      }
    }
    // Each row is a conflict, which the closure resolves.
    var byHand = ThreeWayMerge<KeptPosts>()
    byHand.mergeFields(of: Post.self)
    byHand.resolve(Post.self) { conflict in
      guard let base = conflict.base, let mine = conflict.mine, let theirs = conflict.theirs,
        let post = mergeByHand(base, mine, theirs)
      else { return .refuse }
      return .entity(post)
    }
    let versions = [base, mine, theirs]
    func merge(_ rules: ThreeWayMerge<KeptPosts>) -> ([KeptPosts]) -> Int {
      { versions in
        do {
          let merged = try versions[1].merging(versions[2], base: versions[0], by: rules).storage
          return merged.posts.reduce(0) { $0 &+ $1.score &+ $1.name.utf8.count }
        } catch {
          return -1
        }
      }
    }
    let rows = posts.map { post in
      [post] + [mine, theirs].compactMap { $0.posts.find(by: post.entityID) }
    }
    return [
      .calls(Names.entia, versions, merge(ThreeWayMerge())),
      .calls("by hand", versions, merge(byHand)),
      .calls("members alone, by hand", rows) { rows in
        rows.reduce(0) { sum, rows in
          guard let post = mergeByHand(rows[0], rows[1], rows[2]) else { return -1 }
          return sum &+ post.score &+ post.name.utf8.count
        }
      },
    ]
  }
}

/// Returns the post with the members that either side changed.
@inline(never)
private func mergeByHand(_ base: Post, _ mine: Post, _ theirs: Post) -> Post? {
  var post = mine
  if theirs.name != base.name {
    guard mine.name == base.name || mine.name == theirs.name else { return nil }
    post.name = theirs.name
  }
  if theirs.authorID != base.authorID {
    guard mine.authorID == base.authorID || mine.authorID == theirs.authorID else { return nil }
    post.authorID = theirs.authorID
  }
  if theirs.views != base.views {
    guard mine.views == base.views || mine.views == theirs.views else { return nil }
    post.views = theirs.views
  }
  if theirs.score != base.score {
    guard mine.score == base.score || mine.score == theirs.score else { return nil }
    post.score = theirs.score
  }
  return post
}
