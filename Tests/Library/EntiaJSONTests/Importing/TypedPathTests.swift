import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaJSON

@Suite("Typed records inside an input")
struct TypedPathTests {
  @Test("the value at a path is read")
  func typed() throws {
    var options = TypedImportOptions()
    options.at = JSONPath("$.page.items")
    let text = #"{"page":{"items":[{"id":"a1","name":"A"},{"id":"a2","name":"B"}]},"n":1}"#
    let result = Importer.importing(
      [source(text)], of: TypedAuthor.self, into: TypedBlog(), options: options)
    expectTrue(result.report.problems.isEmpty && result.rootIDs == ["a1", "a2"])
    options.at = JSONPath("$.pages")
    let missing = Importer.importing(
      [source(text)], of: TypedAuthor.self, into: TypedBlog(), options: options)
    expectNil(missing.database)
    expectEqual(
      missing.report.problems.map(\.message),
      [
        "there are no records at $.pages: there is no member \"pages\"; did you mean "
          + "\"page\"?"
      ])
  }

  @Test("a repeated name on the path is a problem")
  func repeated() {
    for (path, text, places) in [
      (
        "$.results", #"{"results":[{"id":5}],"n":{"results":1},"results":[{"id":3}]}"#,
        ["$.results"]
      ),
      ("$.a.x", #"{"a":{"x":[{"id":5}],"x":0},"b":0,"a":{"x":1}}"#, ["$.a.x", "$.a"]),
      ("$.a[0].x", #"{"a":[{"x":[{"id":5,"x":1}],"x":0},{"x":1}]}"#, ["$.a[0].x"]),
    ] {
      var options = TypedImportOptions()
      options.at = JSONPath(path)
      let result = Importer.importing(
        [source(text)], of: TypedAuthor.self, into: TypedBlog(), options: options)
      expectNil(result.database)
      expectEqual(result.report.problems.filter { $0.kind == .duplicateKey }.map(\.path), places)
    }
  }

  @Test("an input that cannot be read to its end is a problem")
  func unreadable() {
    struct Unplugged: Error {}
    let text = Array(#"[{"id":"p1","title":"A"},{"id""#.utf8)
    let source = ImportSource(name: "in.json") {
      var isRead = false
      return { memory in
        if isRead { throw Unplugged() }
        isRead = true
        memory.copyBytes(from: text)
        return text.count
      }
    }
    let result = Importer.importing([source], of: TypedPost.self, into: TypedBlog())
    expectNil(result.database)
    expectTrue(result.report.problems.map(\.kind).contains(.unreadable))
  }
}
