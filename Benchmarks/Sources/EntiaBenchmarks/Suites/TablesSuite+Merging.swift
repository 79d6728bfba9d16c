import EntiaDatabase

extension Case {
  static let merge = Case(
    "merge of 1,000 rows that both changed", note: "one member on each side",
    bars: [.of("by hand", 4)], isScaled: false
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
    let ids = posts.map(\.entityID)
    let rows = posts.map { post in
      [post] + [mine, theirs].compactMap { $0.posts.find(by: post.entityID) }
    }
    return [
      .calls(Names.entia, [base, mine, theirs]) { versions in
        do {
          return try versions[1].merging(versions[2], base: versions[0]).storage.posts.count
        } catch {
          return -1
        }
      },
      .calls("by hand", [base, mine, theirs]) { versions in
        var merged = versions[1]
        merged.performBatchUpdates { context in
          for id in ids {
            guard let base = versions[0].posts.find(by: id),
              let mine = versions[1].posts.find(by: id),
              let theirs = versions[2].posts.find(by: id),
              let post = mergeByHand(base, mine, theirs)
            else { continue }
            context.modifying.posts.insert(post)
          }
        }
        return merged.posts.count
      },
      .calls("members alone", rows) { rows in
        rows.reduce(0) { sum, rows in
          guard let post = mergeByHand(rows[0], rows[1], rows[2]) else { return -1 }
          return sum &+ (post.views == rows[0].views ? 1 : 0)
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
