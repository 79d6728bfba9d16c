import EntiaDatabase
import EntiaRecords

/// Nested JSON of a blog: posts with their authors and three comments, which contain their authors
/// as well; about 490 bytes for each post.
struct NestedJSON {
  let posts: Int
  let bytes: [UInt8]

  init(posts: Int) {
    self.posts = posts
    var random = SplitMix64(seed: 9)
    let words = [
      "lorem", "ipsum", "dolor", "sit", "amet", "elit", "tempor", "incididunt", "labore",
    ]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
        .joined(separator: " ")
    }
    let authors = (0..<max(10, posts / 50)).map { author in
      "{\"id\":\"a\(author)\",\"name\":\"\(text(2))\",\"age\":\(20 + author % 50)}"
    }
    var bytes: [UInt8] = Array("[".utf8)
    for post in 0..<posts {
      func author() -> String { authors[Int.random(in: 0..<authors.count, using: &random)] }
      let comments = (0..<3).map { comment in
        "{\"id\":\"c\(post * 3 + comment)\",\"text\":\"\(text(3))\",\"likes\":\(comment),"
          + "\"author\":\(author())}"
      }
      let record =
        "{\"id\":\"p\(post)\",\"title\":\"\(text(3))\",\"year\":\(1990 + post % 30),"
        + "\"score\":\(post % 100).5,\"published\":\(post % 2 == 0),\"author\":\(author()),"
        + "\"comments\":[" + comments.joined(separator: ",") + "]}"
      if post > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: record.utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    self.bytes = bytes
  }

  /// The entities of the members.
  static let schema = Schema([
    Schema.Entity("authors"),
    Schema.Entity("comments", relationships: [Schema.Relationship("author", to: "authors")]),
    Schema.Entity(
      "posts",
      relationships: [
        Schema.Relationship("author", to: "authors"),
        Schema.Relationship("comments", to: "comments", isMany: true),
      ]),
  ])

  /// Returns the number of posts after reading every token.
  func countedPosts() throws -> Int {
    try JSONReader.reading(bytes) { reader throws(JSONError) in
      var posts = 0
      while true {
        let token = try reader.next()
        if token == .end { return posts }
        if token == .beginObject, reader.depth == 2 { posts += 1 }
      }
    }
  }

  var source: ImportSource { ImportSource(name: "posts.json", bytes: bytes) }
}

/// The model without a database: every reference to an author contains a copy of the author.
struct PlainPost: Decodable {
  struct Author: Decodable {
    let id: String
    let name: String
    let age: Int
  }

  struct Comment: Decodable {
    let id: String
    let text: String
    let likes: Int
    let author: Author
  }

  let id: String
  let title: String
  let year: Int
  let score: Double
  let published: Bool
  let author: Author
  let comments: [Comment]
}

struct ImportedAuthor: EntityType, Identifiable, Codable {
  let id: String
  let name: String
  let age: Int
}

struct ImportedComment: EntityType, Identifiable, Codable {
  let id: String
  let text: String
  let likes: Int
  let author: ImportedAuthor.EntityID
}

struct ImportedPost: EntityType, Identifiable, Codable {
  let id: String
  let title: String
  let year: Int
  let score: Double
  let published: Bool
  let author: ImportedAuthor.EntityID
  let comments: [ImportedComment.EntityID]
}

/// The same data as a database, with its relationships.
struct ImportedBlog: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<ImportedAuthor>()
    var comments = Tables.Hash<ImportedComment>()
    var posts = Tables.Hash<ImportedPost>()
    var postAuthor = ToOne<ImportedPost, ImportedAuthor>(\.author, onDelete: .deny)
    var commentAuthor = ToOne<ImportedComment, ImportedAuthor>(\.author, onDelete: .deny)
    var postComments = ToMany<ImportedPost, ImportedComment>(\.comments, onDelete: .deny)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("comments", \.comments)
      visitor.table("posts", \.posts)
      visitor.relationship("postAuthor", \.postAuthor)
      visitor.relationship("commentAuthor", \.commentAuthor)
      visitor.relationship("postComments", \.postComments)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}
