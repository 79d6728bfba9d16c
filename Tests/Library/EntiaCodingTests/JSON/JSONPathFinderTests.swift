import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("Paths from offsets")
struct JSONPathFinderTests {
  private func paths(_ text: String, at offsets: [Int]) -> [String] {
    Array(text.utf8).withUnsafeBufferPointer {
      JSONPathFinder.paths(at: offsets, in: $0).map(\.description)
    }
  }

  @Test("each value and member has its path")
  func values() {
    let text = "[{\"a\":[1,{\"b\":2}],\"c d\":3},4]"
    expectEqual(
      paths(text, at: [0, 1, 2, 6, 7, 9, 10, 14, 18, 24, 27]),
      [
        "$", "$[0]", "$[0].a", "$[0].a", "$[0].a[0]", "$[0].a[1]", "$[0].a[1].b", "$[0].a[1].b",
        "$[0][\"c d\"]", "$[0][\"c d\"]", "$[1]",
      ])
  }

  @Test("an invalid text has the path of its error")
  func broken() {
    for (text, path) in [
      ("[{\"a\":1},{\"b\":", "$[1].b"), ("[{\"a\":1},{\"b\":\"x", "$[1].b"),
      ("[{\"a\":1},{\"b", "$[1]"), ("[{\"a\":1},", "$[1]"), ("[{\"a\":1}", "$"),
      ("[{\"a\":1 \"b\":2}]", "$[0]"), ("[1,2,x]", "$[2]"), ("[x]", "$[0]"), ("", "$"), ("x", "$"),
      ("{\"a\":[[1],[2,3", "$.a[1]"), ("{\"a\":nul}", "$.a"), ("[1 2]", "$"), ("[]]", "$"),
    ] {
      let error = #expect(throws: JSONError.self) { try JSONText.parse(Array(text.utf8)) }
      expectEqual(paths(text, at: [error?.offset ?? 0]), [path], "\(text)")
    }
  }

  @Test("a path of 100,000 levels is shown by its beginning and its end")
  func deep() {
    let text = String(repeating: "{\"a\":[", count: 50_000) + "1"
    let path = paths(text, at: [text.utf8.count - 1])[0]
    expectTrue(path.hasPrefix("$.a[0].a[0]"))
    expectTrue(path.hasSuffix("…(99968 more)….a[0].a[0].a[0].a[0]"))
  }
}
