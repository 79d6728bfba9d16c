import EntiaDatabase

/// A table of posts that are coded by their `Codable`, kept in a file.
struct KeptCodablePosts: KeptTable {
  struct Contents: StorageContents {
    var posts = Tables.Hash<CodablePost>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("posts", \.posts) }
  }

  var snapshot = Snapshot(Contents())
  var posts: Tables.Hash<CodablePost> { snapshot.contents.posts }

  init() {}

  init(_ posts: [Post]) {
    let posts = posts.map(CodablePost.init)
    performBatchUpdates { $0.modifying.posts.insert(posts) }
  }

  mutating func raiseScore(of id: CodablePost.EntityID) {
    performBatchUpdates { context in
      _ = context.modifying.posts.updateIfExists(id: id) { $0.score &+= 1 }
    }
  }

  mutating func raiseScores(of ids: ArraySlice<CodablePost.EntityID>) -> [CodablePost] {
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
