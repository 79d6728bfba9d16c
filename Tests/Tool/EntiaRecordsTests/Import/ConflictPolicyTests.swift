import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Conflicts and partial records")
struct ConflictPolicyTests {
  private func options(_ policy: ConflictPolicy) -> ImportOptions {
    ImportOptions(format: .nested, schema: blogSchema, root: "posts", onConflict: policy)
  }

  private func counts(_ report: ImportReport) -> [Int] {
    [report.read, report.inserted, report.updated, report.unchanged, report.rejected]
  }

  private let first = "[{\"id\":1,\"a\":1,\"b\":2}]"
  private let second = "[{\"id\":1,\"b\":3,\"c\":4}]"

  @Test(
    "each policy has its result, for several inputs and for an existing database",
    arguments: [
      (ConflictPolicy.replace, "{\"id\":1,\"b\":3,\"c\":4}", [2, 1, 1, 0, 0]),
      (.keep, "{\"id\":1,\"a\":1,\"b\":2}", [2, 1, 0, 1, 0]),
      (.merge, "{\"id\":1,\"a\":1,\"b\":3,\"c\":4}", [2, 1, 1, 0, 0]),
    ])
  func policies(policy: ConflictPolicy, row: String, counts: [Int]) throws {
    let together = importing([first, second], options(policy))
    expectEqual(together.database?.nested("posts"), "[\n  \(row)\n]\n")
    expectEqual(self.counts(together.report), counts)
    let base = try #require(importing([first]).database)
    let added = importing([second], into: base, options(policy))
    expectEqual(added.database, together.database)
    expectEqual(self.counts(added.report), [1, 0, counts[2], counts[3], 0])
    expectNil(importing([first, second], options(.error)).database)
  }

  @Test("a partial record adds its members and removes none, under every policy")
  func partial() throws {
    for policy in ConflictPolicy.allCases {
      let parts = ["[{\"id\":1,\"a\":1}]", "[{\"id\":1,\"b\":null}]", "[{\"id\":1}]"]
      let (database, report) = importing(parts, options(policy))
      expectEqual(database?.nested("posts"), "[\n  {\"id\":1,\"a\":1,\"b\":null}\n]\n")
      expectEqual(counts(report), [3, 1, 1, 1, 0])
    }
  }

  @Test("equal content is recognized in any order and spelling of its members")
  func equalContent() throws {
    let (database, report) = importing([
      "[{\"id\":1,\"m\":{\"x\":[1,{\"b\":1,\"a\":2}],\"w\":\"\\u00e9/\"},\"author\":null}]",
      "[{\"author\":null,\"m\":{\"w\":\"é\\/\",\"x\":[1,{\"a\":2,\"b\":1}]},\"id\":1}]",
    ])
    expectEqual(counts(report), [2, 1, 0, 1, 0])
    expectEqual(database?.text.contains("{\"id\":1,\"m\":{\"w\":\"é/\""), true)
  }

  @Test("lists of IDs in different order differ")
  func lists() throws {
    let rows = "[{\"id\":1,\"comments\":[{\"id\":1},{\"id\":2}]},{\"id\":1,\"comments\":[2,1]}]"
    expectEqual(
      problems(importing([rows]).report),
      [
        "in.json: $[1]: error: conflict: posts 1 differs in \"comments\" ([2,1] here, [1,2] there) from the one in in.json: "
          + "$[0]"
      ])
    let merged = importing([rows], options(.merge)).database
    expectEqual(merged?.nested("posts", depth: 0), "[\n  {\"id\":1,\"comments\":[2,1]}\n]\n")
  }
}
