import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Reports")
struct ReportTests {
  @Test("a report as JSON and as text")
  func success() throws {
    let (_, report) = importing([nestedBlog, "[{\"id\":\"p3\",\"author\":\"a9\"}]"])
    expectEqual(
      String(decoding: report.json(), as: UTF8.self),
      """
      {
        "read": 8,
        "inserted": 7,
        "updated": 0,
        "unchanged": 1,
        "rejected": 0,
        "entities": {
          "authors": 2,
          "comments": 2,
          "posts": 3
        },
        "files": [
          {"file":"in0.json","format":"nested"},
          {"file":"in1.json","format":"nested"}
        ],
        "problems": [
          {"file":"in1.json","path":"$[0].author","severity":"warning",\
      "kind":"danglingReference","message":"\\"author\\" of posts \\"p3\\" refers to authors \\"a9\\", \
      which does not exist"}
        ]
      }

      """)
    expectEqual(
      report.text(),
      """
      in0.json: nested
      in1.json: nested
      read 8: 7 inserted, 0 updated, 1 unchanged, 0 rejected
        2 authors
        2 comments
        3 posts
      0 errors, 1 warning

      """)
  }

  @Test("a refused import counts all records as rejected, and the rows of the unchanged database")
  func refused() throws {
    let base = try #require(importing([nestedBlog]).database)
    let (_, report) = importing(["[{\"id\":\"p9\"},{\"id\":\"p1\"},{}]"], into: base)
    expectEqual([report.read, report.rejected, report.inserted, report.unchanged], [3, 3, 0, 0])
    expectEqual(report.entities.map(\.count), [2, 2, 2])
    expectEqual(
      report.text(),
      """
      in.json: nested
      read 3: 0 inserted, 0 updated, 0 unchanged, 3 rejected
        2 authors
        2 comments
        2 posts
      1 error, 0 warnings; nothing was written

      """)
    let unclear = importing(["[]"], ImportOptions()).report
    expectTrue(unclear.text().hasPrefix("in.json: format not recognized\nread 0: "))
    expectTrue(String(decoding: unclear.json(), as: UTF8.self).contains("\"format\":null"))
  }

  @Test("`updated` and `unchanged` refer to the rows of the existing database")
  func added() throws {
    let base = try #require(importing([nestedBlog]).database)
    let text = "[{\"id\":\"p1\",\"x\":1},{\"id\":\"p2\",\"title\":\"Two\"},{\"id\":\"p3\"}]"
    let (database, report) = importing([text], into: base)
    expectEqual([report.inserted, report.updated, report.unchanged], [1, 1, 1])
    expectEqual(database?.count, base.count + 1)
    expectEqual(database?.nested("posts", ids: ["p1"], depth: 0).contains("\"c2\"],\"x\":1}"), true)
  }

  @Test("long values in messages and deep paths are truncated")
  func excerpts() throws {
    let long = String(repeating: "7", count: 1_000_000)
    let (_, report) = importing(["[{\"id\":1,\"author\":\(long)}]"])
    expectEqual(report.problems.count, 1)
    #expect((report.problems.first?.message.utf8.count ?? .max) < 200)
    let deep = String(repeating: "{\"a\":", count: 100_000)
    for text in [
      "[{\"id\":1,\"x\":\(deep)",
      "[{\"id\":1,\"x\":\(deep)1\(String(repeating: "}", count: 100_000)),\"x\":1}]",
    ] {
      let (database, report) = importing([text])
      expectNil(database)
      expectEqual(report.problems.count, 1)
      #expect((report.problems.first?.path.utf8.count ?? .max) < 300)
    }
  }
}
