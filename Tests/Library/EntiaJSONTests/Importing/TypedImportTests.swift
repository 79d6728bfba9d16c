import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("Import into Swift types")
struct TypedImportTests {
  private let options = TypedImportOptions(dates: .iso8601)

  private func problems(
    _ text: String, into blog: TypedBlog = TypedBlog(), _ options: TypedImportOptions? = nil
  ) -> [String] {
    let result = Importer.importing(
      [source(text)], of: TypedPost.self, into: blog, options: options ?? self.options)
    let report = result.report
    expectEqual(
      report.read, report.inserted + report.updated + report.unchanged + report.rejected,
      "Law 33: read = inserted + updated + unchanged + rejected")
    expectEqual(result.database == nil, report.isRefused)
    return report.problems.map(\.description)
  }

  @Test("an object in the place of an ID is imported, at any depth")
  func nested() throws {
    let result = Importer.importing(
      [source(typedPosts)], of: TypedPost.self, into: TypedBlog(), options: options)
    let blog = try #require(result.database)
    expectTrue(result.report.problems.isEmpty)
    expectEqual(result.rootIDs, ["p1", "p2"])
    // p1, a1, c2, a2, a1 again, p2, c1: IDs alone are no occurrences.
    expectEqual(result.report.read, 7)
    expectTrue(result.report.inserted == 6 && result.report.unchanged == 1)
    let post = try #require(blog.posts.find(by: "p1"))
    expectTrue(post.authorID == "a1" && post.comments == [2, 1])
    expectEqual(post.postedOn, Date(timeIntervalSince1970: 1_795_275_000))
    expectNil(blog.posts.find(by: "p2")?.postedOn)
    expectEqual(blog.authors.find(by: "a2"), TypedAuthor(id: "a2", name: "Böb", friend: "a1"))
    expectEqual(blog.comments.map(\.text), ["Hi", "Ho"])
    expectTrue(blog.verify().isEmpty)
    expectEqual(
      result.report.entities.map { "\($0.name) \($0.count)" },
      ["authors 2", "comments 2", "posts 2"])
  }

  @Test("Law 29: a second import changes nothing; lines and a single object give the same posts")
  func again() throws {
    var blog = TypedBlog()
    try blog.importJSON(source(typedPosts), of: TypedPost.self, options: options)
    let first = blog
    let report = try blog.importJSON(source(typedPosts), of: TypedPost.self, options: options)
    expectTrue(report.unchanged == 7 && report.inserted == 0 && report.updated == 0)
    expectTrue(blog.snapshot.isIdentical(to: first.snapshot))
    let lines = typedPosts.dropFirst().dropLast().replacing("\n", with: " ")
      .replacing(",   {\"title", with: "\n{\"title")
    let result = Importer.importing(
      [source(String(lines), "in.ndjson")], of: TypedPost.self, into: TypedBlog(),
      options: options)
    expectEqual(result.database, first)
    expectEqual(result.report.files.map(\.format), [.ndjson])
  }

  @Test("Law 33: records that recur with the same bytes are counted each time")
  func repeats() throws {
    // Long stretches of authors that come once, and others of a few that come all the time.
    var posts: [String] = []
    for post in 0..<80_000 {
      let author = post < 75_000 ? "n\(post)" : "s\(post % 3)"
      posts.append(
        """
        {"id":"p\(post)","title":"","authorID":{"id":"\(author)","name":"N","friend":null},\
        "comments":[{"id":\(post % 7),"text":"T","author":"s0"},\(post % 7)]}
        """)
    }
    let result = Importer.importing(
      [source("[" + posts.joined(separator: ",") + "]")], of: TypedPost.self, into: TypedBlog())
    let blog = try #require(result.database)
    expectTrue(result.report.problems.isEmpty)
    expectTrue(result.report.read == 240_000 && result.report.inserted == 155_010)
    expectEqual(result.report.unchanged, 240_000 - 155_010)
    expectTrue(blog.authors.count == 75_003 && blog.comments.count == 7)
    expectEqual(blog.posts.find(by: "p79999")?.authorID, "s1")
    expectEqual(blog.posts.find(by: "p70001")?.comments, [1, 1])
    expectTrue(blog.verify().isEmpty)

    let other = #"{"id":"q","title":"","authorID":{"id":"s0","name":"O"},"comments":["1",true]}"#
    expectEqual(
      problems(
        #"[{"id":"p","title":"","authorID":{"id":"s0","name":"N"},"comments":[]},"# + other + "]"),
      [
        "in.json: $[1].authorID: error: conflict: authors \"s0\" differs from the one in "
          + "in.json: "
          + "$[0].authorID; pass a MergePolicy for it as merging:, or set onConflict to .replace "
          + "or .keep",
        "in.json: $[1].comments[0]: error: typeMismatch: expected an Int, found a string",
      ])
  }

  @Test("a record that recurs with the same bytes replaces the one that came between them")
  func repeatedReplacement() throws {
    func post(_ id: Int, _ author: String, _ name: String) -> String {
      #"{"id":"p\#(id)","title":"","authorID":{"id":"\#(author)","name":"\#(name)"},"comments":[]}"#
    }
    var options = TypedImportOptions()
    options.onConflict = .replace
    var blog = TypedBlog()
    for (names, updated) in [("AABAA", 2), ("AAAAA", 0), ("BBAB", 3), ("BBBB", 0), ("AAAA", 1)] {
      let posts =
        names.enumerated().map { post($0.offset, "s", "\($0.element)") }
        + (0..<3).map { post(10 + $0, "t", "same") }
      let report = try blog.importJSON(
        source("[" + posts.joined(separator: ",") + "]"), of: TypedPost.self, options: options)
      expectEqual(blog.authors.find(by: "s")?.name, names.last.map { "\($0)" })
      expectTrue(report.updated == updated && report.read == 2 * posts.count)
    }
  }

  @Test("tables import to the same database")
  func tables() throws {
    var nested = TypedBlog()
    try nested.importJSON(source(typedPosts), of: TypedPost.self, options: options)
    let tables = """
      {"posts": [{"id": "p1", "title": "One", "postedOn": "2026-11-21T15:30:00Z",
                  "authorID": "a1", "comments": [2, 1]},
                 {"id": "p2", "title": "Two", "authorID": "a1", "comments": [1]}],
       "comments": {"2": {"id": 2, "text": "Hi", "author": "a2"},
                    "1": {"id": 1, "text": "Ho", "author": "a2"}},
       "authors": [{"id": "a1", "name": "Ann"}, {"id": "a2", "name": "Böb", "friend": "a1"}]}
      """
    let (blog, report) = Importer.importingTables(
      [source(tables)], into: TypedBlog(), options: options)
    expectTrue(report.problems.isEmpty)
    expectTrue(blog?.authors == nested.authors && blog?.posts == nested.posts)
    expectEqual(blog?.comments.find(by: 1), nested.comments.find(by: 1))
    let unknown = Importer.importingTables(
      [source("{\"post\": [], \"posts\": 1}")], into: TypedBlog())
    expectEqual(
      unknown.report.problems.map(\.description),
      [
        "in.json: $.post: error: unknownEntity: \"post\" is no table of TypedBlog; "
          + "did you mean \"posts\"?",
        "in.json: $.posts: error: typeMismatch: expected an array or an object of rows as table "
          + "\"posts\", found a number",
      ])
  }

  @Test("snake case finds every spelling of a property")
  func snakeCase() throws {
    let text = """
      {"id": "p1", "title": "T", "posted_on": 5, "author_id": "a1", "comments": []}
      """
    let nested =
      "{\"id\":\"p1\",\"title\":\"T\",\"posted_on\":5,\"comments\":[],\"author\":"
      + "{\"id\":\"a1\",\"name\":\"A\"}}"
    let snake = TypedImportOptions(keys: .snakeCase, dates: .secondsSince1970)
    for (text, rows) in [(text, 0), (nested, 1)] {
      let result = Importer.importing(
        [source(text)], of: TypedPost.self, into: TypedBlog(), options: snake)
      let post = try #require(result.database?.posts.find(by: "p1"))
      expectTrue(post.authorID == "a1" && post.postedOn == Date(timeIntervalSince1970: 5))
      expectEqual(result.database?.authors.count, rows)
    }
  }

  @Test("every problem is reported with its path, and nothing is imported")
  func errors() {
    expectEqual(
      problems(
        """
        [{"id": "p1", "title": 7, "authorID": "a1", "comments": []},
         {"title": "T", "authorID": "a1", "comments": []},
         {"id": "p3", "title": "T", "author": {"id": "a1"}, "comments": []},
         {"id": "p4", "title": "T", "comments": [], "authorID": "a1", "title": "U"},
         8,
         {"id": "p5", "title": "T", "authorID": "a1", "comments": [{"id": 1.5, "text": "", "author": "a"}]},
         {"id": "p6", "title": "T", "authorID": null, "comments": [1, true]},
         {"id": "p7", "title": "T", "authorID": "a1", "comments": [], "postedOn": "x"}]
        """),
      [
        "in.json: $[0].title: error: typeMismatch: expected a String, found a number",
        "in.json: $[1]: error: missingID: this record of posts has no \"id\"",
        "in.json: $[2].author: error: typeMismatch: this record of authors has no \"name\"",
        "in.json: $[3].title: error: duplicateKey: the object already has a member of this name",
        "in.json: $[4]: error: typeMismatch: expected an object as a record of posts, found a "
          + "number",
        "in.json: $[5].comments[0].id: error: typeMismatch: 1.5 does not fit Int",
        "in.json: $[6].authorID: error: typeMismatch: expected a String, found null",
        "in.json: $[7].postedOn: error: typeMismatch: \"x\" is no date such as "
          + "\"2026-11-21T15:30:00Z\"",
      ])
    expectEqual(
      problems("[{\"id\": \"p1\", \"title\": \"T\""),
      [
        "in.json: $[0]: error: malformedJSON: the text ends inside an object at line 1, column 27 "
          + "(byte 26)"
      ])
  }

  @Test("a dangling reference is a warning, or an error of a strict import")
  func dangling() {
    let text = "{\"id\":\"p1\",\"title\":\"T\",\"authorID\":\"a9\",\"comments\":[]}"
    let message = "danglingReference: this refers to authors \"a9\", which does not exist"
    expectEqual(problems(text), ["in.json: $.authorID: warning: \(message)"])
    expectEqual(
      problems(text, into: TypedBlog(), TypedImportOptions(strict: true)),
      [
        "in.json: $.authorID: error: \(message)"
      ])
  }

  @Test("an entity with different content is a conflict, or resolved by the policy")
  func conflicts() throws {
    let text = """
      [{"id": "p1", "title": "T", "author": {"id": "a1", "name": "Ann"}, "comments": []},
       {"id": "p2", "title": "T", "author": {"id": "a1", "name": "Eve"}, "comments": []}]
      """
    expectEqual(
      problems(text),
      [
        "in.json: $[1].author: error: conflict: authors \"a1\" differs from the one in in.json: "
          + "$[0].author; pass a MergePolicy for it as merging:, or set onConflict to .replace or "
          + ".keep"
      ])
    for (policy, name) in [(ConflictPolicy.keep, "Ann"), (.replace, "Eve")] {
      let result = Importer.importing(
        [source(text)], of: TypedPost.self, into: TypedBlog(),
        options: TypedImportOptions(onConflict: policy))
      expectEqual(result.database?.authors.find(by: "a1")?.name, name)
    }
    var blog = TypedBlog()
    try blog.performBatchUpdates {
      _ = $0.modifying.authors.insert(TypedAuthor(id: "a1", name: "Old"))
    }
    let before = blog
    #expect(throws: ImportProblems.self) {
      try blog.importJSON(
        source(
          "{\"id\":\"p\",\"title\":\"T\",\"author\":{\"id\":\"a1\",\"name\":\"New\"},\"comments\":[]}"
        ),
        of: TypedPost.self)
    }
    expectTrue(blog.snapshot.isIdentical(to: before.snapshot))
  }

  @Test("every nested record of a list is read, and an ID that cannot be one is a missing ID")
  func lists() {
    expectEqual(
      problems(
        """
        [{"id": "p1", "title": "T", "authorID": "a1", "comments": [
           1, {"id": null, "text": "", "author": "a"}, {"id": 2, "author": "a"}, "x",
           {"id": true, "text": "", "author": {"id": "b"}}, {"id": "y", "text": ""}]}]
        """),
      [
        "in.json: $[0].comments[1].id: error: missingID: expected an Int, found null",
        "in.json: $[0].comments[2]: error: typeMismatch: this record of comments has no \"text\"",
        "in.json: $[0].comments[3]: error: typeMismatch: expected an Int, found a string",
        "in.json: $[0].comments[4].id: error: missingID: expected an Int, found a boolean",
        "in.json: $[0].comments[5].id: error: typeMismatch: expected an Int, found a string",
      ])
  }

  @Test("lists in a list of records are refused after a wrong record, too")
  func listsInLists() {
    let found = problems(
      #"""
      [{"id": "p1", "title": "T", "authorID": "a1", "comments": [{"text": ""}, [1], [1, 2, 3], [[1]]]}]
      """#)
    expectEqual(found.count, 4)
  }

  @Test("a rule of the database refuses rows at their records, each with a problem of its own")
  func refusals() throws {
    let shop = try Shop.sample()
    let orders = (0..<8).map {
      #"{"id":\#($0 + 10),"amount":\#($0),"customerID":\#($0 == 0 ? 1 : 9),"giftForIDs":[]}"#
    }
    let lines = Importer.importing(
      [source(orders.joined(separator: "\n"), "in.ndjson")], of: Order.self, into: shop)
    let refused = "error: inconsistency: the database refuses the rows:"
    let missing = (1..<8).map {
      "in.ndjson:\($0 + 1): $[\($0)]: \(refused) Order \($0 + 10): orderCustomer requires "
        + "Customer 9, which does not exist"
    }
    let dangling =
      "in.ndjson:2: $[1].customerID: warning: danglingReference: this refers to customers 9, which "
      + "does not exist"
    expectEqual(
      lines.report.problems.map(\.description),
      ["in.ndjson:1: $[0]: \(refused) Order 10: amount requires that the amount is positive"]
        + missing.prefix(1) + [dangling] + missing.dropFirst())
    let customers = ["a", "b", "a"].enumerated().map {
      #"{"id":\#($0 + 3),"email":"\#($1)","name":""}"#
    }
    let tables = #"{"orders":{"7":\#(orders[0].replacing("10", with: "7"))},"customers":"#
    let (database, report) = Importer.importingTables(
      [source(tables + "[\(customers.joined(separator: ","))]}")], into: shop)
    expectTrue(database == nil && report.read == 4 && report.rejected == 4)
    expectEqual(
      report.problems.map { "\($0.place) \($0.message.split(separator: ": ")[1])" },
      [
        "the database: $ growth requires that at most two customers come at once",
        "in.json: $.orders[\"7\"] Order 7", "in.json: $.customers[1] email",
        "in.json: $.customers[2] email",
      ])
  }

  @Test("nesting is bounded, and an entity without a table is a problem")
  func limits() {
    let deep = String(repeating: "{\"id\":\"a\",\"name\":\"\",\"friend\":", count: 10_000)
    expectEqual(
      problems("[{\"author\":" + deep).map {
        $0.contains("malformedJSON: arrays and objects nest")
      }, [true])
    struct Stranger: EntityType, Identifiable, Codable { let id: Int }
    let result = Importer.importing([source("[]")], of: Stranger.self, into: TypedBlog())
    expectEqual(result.report.problems.map(\.message), ["TypedBlog has no table of Stranger"])
  }
}
