import EntiaDatabase

/// A table of posts with generated code that is kept in a file.
struct KeptRowPosts: KeptTable {
  struct Contents: StorageContents {
    var posts = Tables.Hash<RowPost>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("posts", \.posts) }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<RowPost> { snapshot.contents.posts }

  init() {}

  init(_ posts: [Post]) {
    let posts = posts.map(RowPost.init)
    performBatchUpdates { $0.modifying.posts.insert(posts) }
  }

  mutating func raiseScore(of id: RowPost.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  mutating func raiseScores(of ids: ArraySlice<RowPost.EntityID>) -> [RowPost] {
    performBatchUpdates { context in
      for id in ids { context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 } }
    }
    return ids.compactMap { posts.find(by: $0) }
  }
}

/// A table of posts with ten members that is kept in a file.
struct KeptWidePosts: KeptTable {
  struct Contents: StorageContents {
    var posts = Tables.Hash<WidePost>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("posts", \.posts) }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<WidePost> { snapshot.contents.posts }

  init() {}

  init(_ posts: [Post]) {
    let posts = posts.map(WidePost.init)
    performBatchUpdates { $0.modifying.posts.insert(posts) }
  }

  mutating func raiseScore(of id: WidePost.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  mutating func raiseScores(of ids: ArraySlice<WidePost.EntityID>) -> [WidePost] {
    performBatchUpdates { context in
      for id in ids { context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 } }
    }
    return ids.compactMap { posts.find(by: $0) }
  }
}
