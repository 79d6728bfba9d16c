import EntiaDatabase
import EntiaJSON
import Foundation

extension Case {
  /// Rows that contain no others, by generated code and by `Codable`.
  static let flatRows: [Case] = [.importFlat, .exportFlat, .insertFlat]

  private static func flat(_ stage: Stage) -> FlatJSON { FlatJSON(posts: min(stage.size, 300_000)) }

  private static let importFlat = Case(
    "import flat rows with one relationship, a row", note: "7 members; 300,000 rows at most",
    bars: [.of("JSONDecoder", (0.30, 0.32))]
  ) { stage in
    let json = flat(stage)
    let data = Data(json.bytes)
    return [
      .rows(Names.entia, json) { try json.generated().posts.count },
      .rows("entia, Codable", json) { try json.coded().posts.count },
      .rows("JSONDecoder", json) {
        try JSONDecoder().decode([PlainFlatPost].self, from: data).count
      },
    ]
  }

  private static let exportFlat = Case(
    "export flat rows, a row", note: "7 members; 300,000 rows at most",
    bars: [.of("JSONEncoder", 0.2)]
  ) { stage in
    let json = flat(stage)
    let (generated, coded, plain) = (try json.generated(), try json.coded(), try json.plain())
    // The texts differ in their spaces and in the order of their members.
    return [
      .rows(Names.entia, json) { try generated.exportJSON(FlatPost.self).isEmpty ? 0 : 1 },
      .rows("entia, Codable", json) {
        try coded.exportJSON(CodableFlatPost.self).isEmpty ? 0 : 1
      },
      .rows("JSONEncoder", json) { try JSONEncoder().encode(plain).isEmpty ? 0 : 1 },
    ]
  }

  /// Inserts rows that are in memory already, so that only the table and the relationship remain.
  private static let insertFlat = Case(
    "batch insert of an array, with one relationship, a row", note: "300,000 rows at most",
    bars: [.of(Names.dictionary, 1.5)]
  ) { stage in
    let json = flat(stage)
    let posts = Array(try json.generated().posts)
    let blog = FlatBlog(json.authors)
    return [
      .build(Names.entia, rows: posts.count, check: \.posts.count) {
        var copy = blog
        copy.performBatchUpdates { $0.modifying.posts.insert(posts) }
        return copy
      },
      .build(Names.dictionary, rows: posts.count, check: \.count) {
        var dictionary: [String: FlatPost] = [:]
        for post in posts { dictionary[post.id] = post }
        return dictionary
      },
    ]
  }
}

extension Contender {
  /// Repeats an operation on all posts.
  fileprivate static func rows(
    _ name: String, _ json: FlatJSON, _ body: @escaping () throws -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore { try run.measure(json.posts, body) }
    }
  }
}
