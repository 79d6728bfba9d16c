import Entia

enum FlatKind: String, Codable, CaseIterable, Sendable { case text, link, image }

struct FlatAuthor: EntityType, Identifiable, Codable {
  let id: String
  let name: String
}

/// A post with seven members, of which one refers to another row, read and written by generated
/// code.
@Entity
struct FlatPost {
  let id: String
  let title: String
  let summary: String?
  let authorID: FlatAuthor.EntityID
  let rating: Int
  let kind: FlatKind
  let tagIDs: [Int]
}

/// The same post, read and written by its `Codable`.
struct CodableFlatPost: EntityType, Identifiable, Codable {
  let id: String
  let title: String
  let summary: String?
  let authorID: FlatAuthor.EntityID
  let rating: Int
  let kind: FlatKind
  let tagIDs: [Int]
}

/// The same post without a database.
struct PlainFlatPost: Codable {
  let id: String
  let title: String
  let summary: String?
  let authorID: String
  let rating: Int
  let kind: FlatKind
  let tagIDs: [Int]
}

@NormalizedStorage
struct FlatBlog {
  @Table var authors: Tables.Hash<FlatAuthor> = .init()
  @Table var posts: Tables.Hash<FlatPost> = .init()
  @Relationship var postAuthor: ToOne<FlatPost, FlatAuthor> =
    .init(\.authorID, onDelete: .cascade)

  init(_ authors: [FlatAuthor]) {
    self.init()
    performBatchUpdates { $0.modifying.authors.insert(authors) }
  }
}

@NormalizedStorage
struct CodableFlatBlog {
  @Table var authors: Tables.Hash<FlatAuthor> = .init()
  @Table var posts: Tables.Hash<CodableFlatPost> = .init()
  @Relationship var postAuthor: ToOne<CodableFlatPost, FlatAuthor> =
    .init(\.authorID, onDelete: .cascade)

  init(_ authors: [FlatAuthor]) {
    self.init()
    performBatchUpdates { $0.modifying.authors.insert(authors) }
  }
}
