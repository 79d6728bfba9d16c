import EntiaDatabase
import EntiaRecords
import Foundation

extension Suite {
  /// The import of nested JSON into tables, compared with decoding the same bytes into plain
  /// structs. One post with its comments and their authors counts as about ten rows, so a million
  /// rows are about 50 MB.
  static let imports = Suite(
    name: "import", summary: "nested JSON into tables", bytesPerRow: 2_500,
    check: checkImport,
    cases: [
      .importReader, .importDynamic, .importTyped, .importGenerated, .importAgain,
      .importEntities, .throughput,
    ]
      + Case.importIDs + Case.flatRows)

  /// Checks that both imports have the same results as the plain structs.
  private static func checkImport(_ stage: Stage) throws {
    let json = NestedJSON(posts: 200)
    let plain = try JSONDecoder().decode([PlainPost].self, from: Data(json.bytes))
    let database = try imported(json)
    let blog = try typed(json)
    let contents = blog.snapshot.contents
    guard database.count == contents.posts.count + contents.comments.count + contents.authors.count
    else { throw Disagreement("correctness: both imports do not give as many rows") }
    for post in plain {
      let id = RecordID(entity: "posts", key: .string(post.id))
      guard let row = contents.posts.find(by: ImportedPost.EntityID(post.id)),
        row.title == post.title, row.score == post.score, row.author.raw == post.author.id,
        row.comments.map(\.raw) == post.comments.map(\.id),
        case .references(let comments) = database.record(id)?["comments"],
        comments.map(\.key.text) == post.comments.map(\.id)
      else { throw Disagreement("correctness: \(post.id) is not what it should be") }
    }
    guard database.verifyProblems(file: "").isEmpty, blog.verify().isEmpty else {
      throw Disagreement("correctness: an imported database does not verify")
    }
    let generated = try generated(json)
    guard try generated.exportTables() == blog.exportTables(), generated.verify().isEmpty else {
      throw Disagreement("correctness: generated code imports other rows")
    }
    try FlatJSON(posts: 200).check()
  }

  static func imported(
    _ json: NestedJSON, into base: RecordDatabase? = nil
  ) throws -> RecordDatabase {
    let options = ImportOptions(format: .nested, schema: NestedJSON.schema, root: "posts")
    let (database, report) = Importer.importing([json.source], into: base, options: options)
    guard let database, report.problems.isEmpty else {
      throw Disagreement("the import is refused")
    }
    return database
  }

  static func typed(_ json: NestedJSON) throws -> ImportedBlog {
    let result = Importer.importing(
      [json.source], of: ImportedPost.self, into: ImportedBlog())
    guard let blog = result.database, result.report.problems.isEmpty else {
      throw Disagreement("the typed import is refused")
    }
    return blog
  }

  static func generated(_ json: NestedJSON) throws -> MacroBlog {
    let result = Importer.importing(
      [json.source], of: MacroPost.self, into: MacroBlog())
    guard let blog = result.database, result.report.problems.isEmpty else {
      throw Disagreement("the import by generated code is refused")
    }
    return blog
  }
}

extension Contender {
  /// Repeats an operation on all posts, which returns their number.
  fileprivate static func whole(
    _ name: String, _ json: NestedJSON, _ body: @escaping () throws -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore { try run.measure(json.posts, body) }
    }
  }

  fileprivate static func decoder(_ json: NestedJSON) -> Contender {
    let data = Data(json.bytes)
    return whole("JSONDecoder", json) {
      try JSONDecoder().decode([PlainPost].self, from: data).count
    }
  }
}

extension Case {
  static func json(_ stage: Stage) -> NestedJSON {
    NestedJSON(posts: max(10, stage.size / 10))
  }

  static let importReader = Case(
    "read, a post", note: "every token, nothing is kept",
    bars: [.atMillion(of: "JSONDecoder", 0.15)]
  ) { stage in
    let json = json(stage)
    return [
      .whole(Names.entia, json) {
        try json.countedPosts()
      },
      .decoder(json),
    ]
  }

  static let importDynamic = Case(
    "import by a schema, a post", bars: [.atMillion(of: "JSONDecoder", 0.35)]
  ) { stage in
    let json = json(stage)
    return [
      .whole(Names.entia, json) { try Suite.imported(json).result.first?.keys.count ?? 0 },
      .decoder(json),
    ]
  }

  static let importTyped = Case(
    "import into Swift types, a post", bars: [.atMillion(of: "JSONDecoder", 0.4)]
  ) { stage in
    let json = json(stage)
    return [
      .whole(Names.entia, json) { try Suite.typed(json).snapshot.contents.posts.count },
      .decoder(json),
    ]
  }

  static let importGenerated = Case(
    "import by generated code, a post", bars: [.atMillion(of: "JSONDecoder", 0.33)]
  ) { stage in
    let json = json(stage)
    return [
      .whole(Names.entia, json) { try Suite.generated(json).posts.count },
      .whole("entia, Codable", json) { try Suite.typed(json).snapshot.contents.posts.count },
      .decoder(json),
    ]
  }

  static let importAgain = Case(
    "import what is there already, a post", bars: [.atMillion(of: "first import", 1.1)]
  ) { stage in
    let json = json(stage)
    let database = try Suite.imported(json)
    return [
      .whole(Names.entia, json) {
        try Suite.imported(json, into: database).result.first?.keys.count ?? 0
      },
      .whole("first import", json) { try Suite.imported(json).result.first?.keys.count ?? 0 },
    ]
  }
}
