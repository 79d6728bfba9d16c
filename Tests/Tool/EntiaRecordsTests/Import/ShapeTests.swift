import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@Suite("Import of every shape")
struct ShapeTests {
  private let auto = ImportOptions(schema: blogSchema, root: "posts")

  @Test("nested records become rows that refer to each other")
  func nested() throws {
    let (database, report) = importing([nestedBlog])
    expectEqual(database?.text, blogDatabase)
    expectTrue(problems(report).isEmpty)
    // p1, a1, c1, a2, p2, a1 again, c2: two IDs alone are no occurrences.
    expectEqual(report.read, 7)
    expectEqual(report.inserted, 6)
    expectEqual(report.unchanged, 1)
    expectEqual(
      report.entities.map { "\($0.name) \($0.count)" }, ["authors 2", "comments 2", "posts 2"])
  }

  @Test("one nested record needs no array")
  func single() throws {
    let (database, _) = importing(["{\"id\":\"p1\",\"author\":{\"id\":\"a1\"}}"])
    expectEqual(database?.nested("posts"), "[\n  {\"id\":\"p1\",\"author\":{\"id\":\"a1\"}}\n]\n")
  }

  @Test("a record on each line is the same as an array of them")
  func lines() throws {
    let lines = """

      {"id": "p1", "title": "One", "author": {"id": "a1", "name": "Ann"}, "comments": \
      [{"id": "c1", "text": "Hi", "author": {"id": "a2", "name": "Bob"}}, "c2"]}
      \t
      {"id": "p2", "title": "Two", "author": "a1", "comments": [{"id": "c2", "text": "Ho", \
      "author": "a2"}]}
      """
    for format in [ImportFormat.ndjson, .auto] {
      var options = auto
      options.format = format
      let (database, report) = importing(["\u{feff}" + lines + "\r\n"], options)
      expectEqual(database?.text, blogDatabase)
      expectEqual(report.files.map(\.format), [.ndjson])
    }
    expectTrue(
      importing([""], ImportOptions(format: .ndjson, schema: blogSchema, root: "posts")).database
        != nil)
  }

  @Test(
    "tables are read in each of their forms",
    arguments: [
      blogDatabase,
      """
      {"result": {"posts": ["p1", "p2", "p1"]}, "entities": {
        "posts": {"p2": {"title": "Two", "comments": ["c2"], "author": "a1", "id": "p2"},
                  "p1": {"comments": ["c1", "c2"], "author": "a1", "id": "p1", "title": "One"}},
        "authors": [{"id": "a2", "name": "Bob"}, {"id": "a1", "name": "Ann"}],
        "comments": {"c1": {"id": "c1", "author": "a2", "text": "Hi"},
                     "c2": {"id": "c2", "author": "a2", "text": "Ho"}}},
       "schema": {"entities": {"authors": {}, "comments": {"relationships": {"author":
         {"to": "authors"}}}, "posts": {"relationships": {"comments": {"many": true, "to":
         "comments"}, "author": {"to": "authors"}}}}}}
      """,
    ])
  func tables(text: String) throws {
    for format in [ImportFormat.tables, .auto] {
      let (database, report) = importing([text], ImportOptions(format: format))
      expectEqual(database?.canonicalText, canonical(blogDatabase))
      expectTrue(problems(report).isEmpty)
      expectEqual(report.files.map(\.format), [.tables])
    }
  }

  @Test("tables without `entities` take their schema from anywhere")
  func bareTables() throws {
    let tables = """
      {"posts": [{"id": "p1", "title": "One", "author": "a1", "comments": ["c1", "c2"]},
                 {"id": "p2", "title": "Two", "author": "a1", "comments": ["c2"]}],
       "authors": {"a1": {"id": "a1", "name": "Ann"}, "a2": {"id": "a2", "name": "Bob"}},
       "comments": [{"id": "c1", "author": "a2", "text": "Hi"},
                    {"id": "c2", "author": "a2", "text": "Ho"}]
      """
    let schema = String(decoding: blogSchema.bytes(), as: UTF8.self)
    let whole = [tables + "}", tables + ",\"schema\":\(schema)}"]
    for (text, given) in zip(whole, [blogSchema, nil]) {
      let options = ImportOptions(schema: given, root: "posts")
      expectEqual(importing([text], options).database?.canonicalText, canonical(blogDatabase))
    }
    // Without a schema the rows are plain, whatever their members look like.
    let plain = try #require(importing([whole[0]], ImportOptions()).database)
    expectEqual(plain.schema, Schema(["authors", "comments", "posts"].map { Schema.Entity($0) }))
    expectTrue(plain.result.isEmpty)
    expectTrue(plain.nested("posts", ids: ["p2"], depth: 3).contains("\"author\":\"a1\""))
    // A schema that comes later reads the rows anew.
    let added = importing(["{}"], into: plain, ImportOptions(schema: blogSchema))
    expectEqual(added.database?.schema, blogSchema)
    expectEqual(added.database?.nested("posts", ids: ["p2"]).contains("{\"id\":\"a1\""), true)
  }

  @Test("Django's rows: the model names the entity, the pk is the ID")
  func django() throws {
    let rows = """
      [{"model": "blog.posts", "pk": "p1",
        "fields": {"title": "One", "author": "a1", "comments": ["c1", "c2"]}},
       {"fields": {"author": "a1", "comments": ["c2"], "title": "Two"}, "pk": "p2",
        "model": "blog.posts"},
       {"model": "blog.authors", "pk": "a1", "fields": {"name": "Ann"}},
       {"model": "blog.authors", "pk": "a2", "fields": {"name": "Bob"}},
       {"pk": "c1", "model": "blog.comments", "fields": {"author": "a2", "text": "Hi"}},
       {"pk": "c2", "model": "blog.comments", "fields": {"author": "a2", "text": "Ho"}}]
      """
    for format in [ImportFormat.django, .auto] {
      var options = auto
      options.format = format
      let (database, report) = importing([rows], options)
      expectEqual(database?.canonicalText, canonical(blogDatabase))
      expectTrue(problems(report).isEmpty)
      expectEqual(report.files.map(\.format), [.django])
    }
  }

  @Test("without a schema, a Django field named after a model refers to it if all its values do")
  func djangoInference() throws {
    let rows = """
      [{"pk": 1, "model": "chinook.album", "fields": {"artist": 1, "title": "Rock"}},
       {"pk": 2, "model": "chinook.album", "fields": {"artist": null, "title": "Balls"}},
       {"pk": 1, "model": "chinook.artist", "fields": {"name": "AC/DC"}},
       {"pk": 1, "model": "chinook.track",
        "fields": {"album": 2, "genre": "Rock", "artist": 7, "mediatype": null}},
       {"pk": 1, "model": "chinook.genre", "fields": {"name": "Rock"}},
       {"pk": 1, "model": "chinook.mediatype", "fields": {"name": "MPEG"}},
       {"pk": 1, "model": "chinook.employee", "fields": {"reports_to": 1}}]
      """
    let (result, report) = importing([rows], ImportOptions())
    let database = try #require(result)
    expectTrue(problems(report).isEmpty)
    expectEqual(database.schema.entity("album")?.relationships, [.init("artist", to: "artist")])
    // A genre is named, not identified; artist 7 does not exist; a null says nothing.
    expectEqual(database.schema.entity("track")?.relationships, [.init("album", to: "album")])
    expectEqual(database.schema.entity("employee")?.relationships, [])
    expectTrue(database.verifyProblems(file: "db").isEmpty)
    expectEqual(
      RecordDatabase.read(ImportSource(name: "db", bytes: database.write())).database, database)
    expectEqual(
      database.nested("track", depth: 2),
      """
      [
        {"id":1,"album":{"id":2,"artist":null,"title":"Balls"},"genre":"Rock","artist":7,\
      "mediatype":null}
      ]

      """)
    // In shards added one to another the same is found.
    let album = "[{\"pk\":1,\"model\":\"c.album\",\"fields\":{\"artist\":1}}]"
    let artist = "[{\"pk\":1,\"model\":\"c.artist\",\"fields\":{}}]"
    let one = importing([album], ImportOptions()).database
    let both = importing([artist], into: one, ImportOptions()).database
    expectEqual(both, importing([artist, album], ImportOptions()).database)
    expectEqual(both?.nested("album").contains("\"artist\":{\"id\":1}"), true)
    // A schema says all there is to say.
    let given = Schema([
      Schema.Entity("album"), Schema.Entity("artist"),
    ])
    let plain = importing([artist, album], ImportOptions(schema: given)).database
    expectEqual(plain?.schema, given)
  }

  @Test(
    "the format of an input is recognized from its beginning",
    arguments: [
      ("[{\"model\":\"a.b\",\"pk\":1,\"fields\":{}}]", true, "django"),
      ("[{\"model\":\"a.b\",\"pk\":1,\"fields\":{},\"id\":1}]", true, "nested"),
      ("[{\"model\":\"a.b\",\"fields\":\"x\"}]", true, "nested"),
      ("[]", true, "nested"), ("{\"id\":\"p1\"}", true, "nested"), ("{}", true, "nested"),
      ("{}", false, "tables"), ("{\"posts\":[]}", false, "tables"),
      ("{\"posts\":{}}", true, "tables"), ("{\"posts\":[{}],\"a\":{\"b\":{}}}", true, "tables"),
      ("{\"entities\":{}}", false, "tables"), ("{\"result\":{},\"entities\":{}}", true, "tables"),
      ("{\"id\":\"p1\"}\n{\"id\":\"p2\"}\n", true, "ndjson"),
      ("{\"id\":\"p1\"\n{\"id\":\"p2\"}\n", true, "ndjson"),
      ("{\n\"id\":\"p1\"", true, "nested"), ("[{\"id\":", true, "nested"),
      ("{\"posts\":[{", false, "tables"), ("[{\"model\":", false, "django"), ("", false, "tables"),
    ])
  func detection(text: String, hasRoot: Bool, format: String) {
    let options = hasRoot ? auto : ImportOptions()
    expectEqual(importing([text], options).report.files.map(\.format?.rawValue), [format])
  }

  @Test("the ID may have another name, and is written first")
  func idName() throws {
    let schema = Schema([Schema.Entity("users", idName: "name")])
    let (database, _) = importing(
      ["[{\"age\":1,\"id\":7,\"name\":\"ann\"}]"],
      ImportOptions(format: .nested, schema: schema, root: "users"))
    expectEqual(database?.text.contains("\"ann\": {\"name\":\"ann\",\"age\":1,\"id\":7}"), true)
  }

  @Test("numbers keep every digit, and rows are in order of value, numbers before strings")
  func numbers() throws {
    let ids = [
      "\"b\"", "10", "2", "-3", "1e2", "123456789012345678901234567890", "\"B\"", "2.5",
      "\"é\"", "\"10a\"",
    ]
    let rows = ids.map { "{\"id\":\($0),\"n\":1e400,\"m\":1.50}" }.joined(separator: ",")
    let options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
    let database = try #require(importing(["[\(rows)]"], options).database)
    expectEqual(
      database.result.map(\.keys.description),
      [
        "[\"b\", 10, 2, -3, 1e2, 123456789012345678901234567890, \"B\", 2.5, \"é\", \"10a\"]"
      ])
    let order = [
      "-3", "2", "2.5", "10", "1e2", "123456789012345678901234567890", "10a", "B", "b", "é",
    ]
    let places = order.map { database.text.range(of: "\"\($0)\": {")?.lowerBound }
    expectTrue(
      zip(places, places.dropFirst()).allSatisfy { $0 ?? "".endIndex < $1 ?? "".startIndex })
    expectTrue(database.text.contains("\"1e2\": {\"id\":1e2,\"n\":1e400,\"m\":1.50}"))
    expectEqual(
      RecordDatabase.read(ImportSource(name: "x", bytes: database.write())).database, database)
  }

  @Test("canonically equivalent IDs, names and entities remain different")
  func exactNames() throws {
    let (one, two) = ("\u{e9}", "e\u{301}")
    let text = """
      {"\(one)": [{"id": "\(one)", "\(one)": 1, "\(two)": 2}, {"id": "\(two)"}], "\(two)": []}
      """
    let (database, report) = importing([text], ImportOptions())
    expectTrue(problems(report).isEmpty)
    expectEqual(report.inserted, 2)
    let sound = try #require(database)
    expectEqual(sound.schema.entities.count, 2)
    expectEqual(sound.records.map(\.members.count), [2, 0])
    expectEqual(sound.record(RecordID(entity: one, key: .string(two)))?.members.count, 0)
    expectNil(sound.record(RecordID(entity: two, key: .string(two))))
    let again = RecordDatabase.read(ImportSource(name: "db", bytes: sound.write())).database
    expectEqual(again, sound)
  }

  @Test("the two directions of a reference agree, before and after the target is imported")
  func holders() throws {
    let author = RecordID(entity: "authors", key: .string("a1"))
    let (posts, _) = importing([
      "[{\"id\":\"p1\",\"author\":\"a1\"},{\"id\":\"p2\",\"author\":\"a1\"}]"
    ])
    let before = try #require(posts)
    expectEqual(before.holders(of: author).map(\.key), [.string("p1"), .string("p2")])
    expectEqual(
      before.verifyProblems(file: "db").map(\.kind), [.danglingReference, .danglingReference])
    let after = try #require(importing([nestedBlog], into: before).database)
    expectTrue(after.verifyProblems(file: "db").isEmpty)
    expectEqual(after.holders(of: author), before.holders(of: author))
  }
}
