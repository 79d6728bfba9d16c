import Testing

@testable import EntiaRecords

/// The schema of the blog that most tests import.
let blogSchema = Schema([
  Schema.Entity(
    "posts",
    relationships: [
      Schema.Relationship("author", to: "authors"),
      Schema.Relationship("comments", to: "comments", isMany: true),
    ]),
  Schema.Entity(
    "comments", relationships: [Schema.Relationship("author", to: "authors")]),
  Schema.Entity("authors"),
])

/// The blog as a nested array: `a1` is written out twice, `a2` once and named once.
let nestedBlog = """
  [
    {"id": "p1", "title": "One", "author": {"id": "a1", "name": "Ann"},
     "comments": [{"id": "c1", "text": "Hi", "author": {"id": "a2", "name": "Bob"}}, "c2"]},
    {"id": "p2", "title": "Two", "author": {"name": "Ann", "id": "a1"},
     "comments": [{"id": "c2", "text": "Ho", "author": "a2"}]}
  ]
  """

/// What the blog is as a database.
let blogDatabase = """
  {
    "schema": {
      "entities": {
        "authors": {"id":"id"},
        "comments": {"id":"id","relationships":{"author":{"to":"authors"}}},
        "posts": \
  {"id":"id","relationships":{"author":{"to":"authors"},"comments":{"to":"comments","many":true}}}
      }
    },
    "entities": {
      "authors": {
        "a1": {"id":"a1","name":"Ann"},
        "a2": {"id":"a2","name":"Bob"}
      },
      "comments": {
        "c1": {"id":"c1","text":"Hi","author":"a2"},
        "c2": {"id":"c2","text":"Ho","author":"a2"}
      },
      "posts": {
        "p1": {"id":"p1","title":"One","author":"a1","comments":["c1","c2"]},
        "p2": {"id":"p2","title":"Two","author":"a1","comments":["c2"]}
      }
    },
    "result": {
      "posts": ["p1","p2"]
    }
  }

  """

/// Imports texts, and checks law 33 whatever comes of it.
func importing(
  _ texts: [String], into database: RecordDatabase? = nil,
  _ options: ImportOptions = ImportOptions(format: .nested, schema: blogSchema, root: "posts"),
  location: SourceLocation = #_sourceLocation
) -> (database: RecordDatabase?, report: ImportReport) {
  let sources = texts.enumerated().map { index, text in
    ImportSource(name: texts.count == 1 ? "in.json" : "in\(index).json", bytes: Array(text.utf8))
  }
  let (result, report) = Importer.importing(sources, into: database, options: options)
  #expect(
    report.read == report.inserted + report.updated + report.unchanged + report.rejected,
    "Law 33: read = inserted + updated + unchanged + rejected", sourceLocation: location)
  #expect((result == nil) == report.isRefused, sourceLocation: location)
  if let result, texts.reduce(0, { $0 + $1.utf8.count }) < 1 << 18 {
    result.expectVerified(
      besidesDangling: database != nil || !report.problems.isEmpty, location)
  } else if result == nil {
    #expect(report.inserted == 0 && report.updated == 0, sourceLocation: location)
  }
  return (result, report)
}

/// The problems of a report, one a line.
func problems(_ report: ImportReport) -> [String] { report.problems.map(\.description) }

extension RecordDatabase {
  /// What the database is as text.
  var text: String { String(decoding: write(), as: UTF8.self) }

  /// Expects that what is written is verified without a problem, but for references to rows that do
  /// not exist, which an import lists as warnings.
  func expectVerified(
    besidesDangling: Bool, _ location: SourceLocation = #_sourceLocation
  ) {
    let source = ImportSource(name: "out.json", bytes: write())
    let verified = RecordDatabase.verifying(source)
    // What was read has no problem that reading did not report.
    let read = RecordDatabase.read(source).database
    let missed = read?.verifyProblems(file: "out.json").filter { $0.kind != .danglingReference }
    #expect(missed == [], sourceLocation: location)
    let problems = verified.problems.filter { !besidesDangling || $0.kind != .danglingReference }
    #expect(problems.isEmpty, "its own output is refused", sourceLocation: location)
  }

  /// The canonical text without the result: the orders of the result and of the members of rows are
  /// those of the imports.
  var canonicalRows: String {
    var rows = self
    rows.resultKeys = [:]
    return rows.canonicalText
  }

  /// The text with the members of each row sorted.
  var canonicalText: String { canonical(text) }

  /// The text of denormalized rows, or what is wrong.
  func nested(_ entity: String, ids: [String]? = nil, depth: Int = 1) -> String {
    switch denormalized(entity: entity, ids: ids, depth: depth) {
    case .success(let bytes): String(decoding: bytes, as: UTF8.self)
    case .failure(let problem): problem.description
    }
  }
}

/// Returns the canonical text of JSON: with the members of each object sorted, and without spaces.
func canonical(_ text: String) -> String {
  do {
    return try JSONText.parse(Array(text.utf8)).text
  } catch {
    return error.description
  }
}
