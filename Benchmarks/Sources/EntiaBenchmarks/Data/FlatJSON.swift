import EntiaDatabase
import EntiaJSON
import Foundation

/// JSON of posts without nested rows, about 150 bytes each, and the authors to which they refer.
struct FlatJSON {
  let posts: Int
  let authors: [FlatAuthor]
  let bytes: [UInt8]

  init(posts: Int) {
    self.posts = posts
    var random = SplitMix64(seed: 11)
    let words = ["lorem", "ipsum", "dolor", "sit", "amet", "elit", "tempor", "labore"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }
        .joined(separator: " ")
    }
    authors = (0..<max(10, posts / 50)).map { FlatAuthor(id: "author-\($0)", name: text(2)) }
    var bytes: [UInt8] = Array("[".utf8)
    for post in 0..<posts {
      let kinds = FlatKind.allCases
      let tags = (0..<post % 4).map { "\((post &+ $0) % 100)" }.joined(separator: ",")
      let summary = post % 2 == 0 ? "\"summary\":\"\(text(4))\"," : ""
      let record =
        "{\"id\":\"post-\(post)\",\"title\":\"\(text(4))\",\(summary)"
        + "\"authorID\":\"author-\(Int.random(in: 0..<authors.count, using: &random))\","
        + "\"rating\":\(post % 1_000),\"kind\":\"\(kinds[post % kinds.count])\","
        + "\"tagIDs\":[\(tags)]}"
      if post > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: record.utf8)
    }
    bytes.append(UInt8(ascii: "]"))
    self.bytes = bytes
  }

  private var source: ImportSource { ImportSource(name: "posts.json", bytes: bytes) }

  func generated() throws -> FlatBlog {
    let result = Importer.importing([source], of: FlatPost.self, into: FlatBlog(authors))
    guard let blog = result.database, result.report.problems.isEmpty else {
      throw Disagreement("the import by generated code is refused")
    }
    return blog
  }

  func coded() throws -> CodableFlatBlog {
    let result = Importer.importing(
      [source], of: CodableFlatPost.self, into: CodableFlatBlog(authors))
    guard let blog = result.database, result.report.problems.isEmpty else {
      throw Disagreement("the import by Codable is refused")
    }
    return blog
  }

  func plain() throws -> [PlainFlatPost] {
    try JSONDecoder().decode([PlainFlatPost].self, from: Data(bytes))
  }

  /// Checks that all readers give the same posts, and that both exports are equal.
  func check() throws {
    let (generated, coded) = (try generated(), try coded())
    for post in try plain() {
      guard let row = generated.posts.find(by: FlatPost.EntityID(post.id)),
        row.title == post.title, row.summary == post.summary, row.authorID.raw == post.authorID,
        row.rating == post.rating, row.kind == post.kind, row.tagIDs == post.tagIDs
      else { throw Disagreement("correctness: \(post.id) is not what it should be") }
    }
    guard generated.posts.count == posts, generated.verify().isEmpty,
      try generated.exportTables() == coded.exportTables()
    else { throw Disagreement("correctness: the flat posts do not agree") }
  }
}
