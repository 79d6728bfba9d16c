import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("The order of results")
struct ResultOrderTests {
  private func keys(_ database: RecordDatabase?) -> [String]? {
    database?.result.map { "\($0.entity) " + $0.keys.map(\.text).joined(separator: " ") }
  }

  private func options(_ format: ImportFormat) -> ImportOptions {
    ImportOptions(format: format, schema: blogSchema, root: "posts")
  }

  @Test("a result has the order of the input, each ID once, in every shape")
  func shapes() {
    let fields = "\"author\":null"
    for (format, text) in [
      (ImportFormat.nested, #"[{"id":5},{"id":3},{"id":5},{"id":9},{"id":1},{"id":3}]"#),
      (.ndjson, "{\"id\":5}\n{\"id\":3}\n{\"id\":9}\n{\"id\":5}\n{\"id\":1}"),
      (.tables, #"{"posts":[{"id":5},{"id":3},{"id":9},{"id":1}]}"#),
      (
        .tables,
        #"{"entities":{"posts":[{"id":1},{"id":3},{"id":5},{"id":9}]},"result":{"posts":[5,3,5,9,1]}}"#
      ),
      (
        .django,
        "["
          + [5, 3, 9, 1].map { "{\"model\":\"b.posts\",\"pk\":\($0),\"fields\":{\(fields)}}" }
          .joined(separator: ",") + "]"
      ),
    ] {
      var options = options(format)
      if text.contains("result") { options.root = nil }
      let database = importing([text], options).database
      expectEqual(keys(database), ["posts 5 3 9 1"], "\(text)")
    }
    let api = #"{"data":[{"type":"posts","id":"b"},{"type":"posts","id":"a"}]}"#
    expectEqual(keys(importing([api], ImportOptions(format: .jsonapi)).database), ["posts b a"])
    let graph = #"{"data":{"x":[{"__typename":"posts","id":2},{"__typename":"posts","id":1}]}}"#
    expectEqual(keys(importing([graph], ImportOptions(format: .graphql)).database), ["posts 2 1"])
    let keyed = #"{"b":{"title":"B"},"a":{"title":"A"}}"#
    expectEqual(keys(importing([keyed], options(.keyed)).database), ["posts b a"])
  }

  @Test("a reference in a row does not determine the order of the result")
  func mentions() {
    let schema = Schema([
      Schema.Entity("n", relationships: [Schema.Relationship("next", to: "n")])
    ])
    let options = ImportOptions(format: .nested, schema: schema, root: "n")
    let text = #"[{"id":1,"next":3},{"id":2,"next":{"id":4}},{"id":3}]"#
    expectEqual(keys(importing([text], options).database), ["n 1 2 3"])
  }

  @Test("over several files and imports, the result has their order")
  func files() throws {
    let files = [#"[{"id":5},{"id":3}]"#, #"[{"id":9},{"id":3},{"id":1}]"#]
    expectEqual(keys(importing(files).database), ["posts 5 3 9 1"])
    expectEqual(keys(importing(files.reversed()).database), ["posts 9 3 1 5"])
    let first = importing([files[1]]).database
    let both = try #require(importing([files[0]], into: first).database)
    expectEqual(keys(both), ["posts 9 3 1 5"])
    // The result of a database file takes its turn too.
    let written = try #require(importing([files[1]]).database).text
    expectNil(
      keys(importing([written, files[0]], ImportOptions()).database),
      "an array has no root here")
    let options = ImportOptions(root: "posts")
    let table = "{\"posts\":[{\"id\":5},{\"id\":3}]}"
    let database = "{\"entities\":{\"posts\":[]},\"result\":{\"posts\":[9,3,1]}}"
    expectEqual(keys(importing([database, table], options).database), ["posts 9 3 1 5"])
  }

  @Test("rows are denormalized in the order of the result, then the others by ID")
  func denormalized() throws {
    let source = "[\n  {\"id\":5},\n  {\"id\":3},\n  {\"id\":9},\n  {\"id\":1}\n]\n"
    let database = try #require(importing([source]).database)
    expectEqual(database.nested("posts"), source)
    let more = try #require(
      importing(
        [#"{"posts":[{"id":7},{"id":2}]}"#], into: database, ImportOptions(format: .tables)
      ).database)
    expectEqual(more.nested("posts").filter { $0.isNumber }, "539127", "5 3 9 1, then 2 7")
    let read = RecordDatabase.read(ImportSource(name: "db", bytes: more.write())).database
    expectTrue(read == more && read?.write() == more.write())
  }

  @Test("a difference says that a result is in another order")
  func differences() throws {
    let old = try #require(importing([#"[{"id":5},{"id":3},{"id":9}]"#]).database)
    let new = try #require(importing([#"[{"id":3},{"id":5},{"id":9}]"#]).database)
    expectTrue(old != new)
    let difference = new.difference(from: old)
    expectTrue(!difference.isEmpty && difference.results.map(\.isReordered) == [true])
    expectEqual(difference.text(), "result of posts: in another order\n1 difference\n")
    expectTrue(
      String(decoding: difference.json(), as: UTF8.self)
        .contains(#""posts": {"inserted":[],"removed":[],"reordered":true}"#))
    let grown = try #require(importing([#"[{"id":5},{"id":4},{"id":3},{"id":9}]"#]).database)
    expectEqual(grown.difference(from: old).results.map(\.isReordered), [false])
    expectTrue(old.difference(from: old).isEmpty)
  }
}
