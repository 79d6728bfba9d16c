import EntiaDatabase
import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Dangling references of an import into a database")
struct DanglingReferenceTests {
  /// A list of posts, whose members come and go, and whose authors and comments may be nested or
  /// only named.
  private func posts(_ random: inout SeededGenerator) -> String {
    func author() -> String {
      let id = Int.random(in: 0..<4, using: &random)
      return Bool.random(using: &random) ? "\(id)" : "{\"id\":\(id)}"
    }
    func comment() -> String {
      let id = Int.random(in: 0..<4, using: &random)
      return Bool.random(using: &random)
        ? "\(id)" : "{\"id\":\(id)\(Bool.random(using: &random) ? ",\"author\":\(author())" : "")}"
    }
    let posts = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      var members = ["\"id\":\(Int.random(in: 0..<3, using: &random))"]
      if Bool.random(using: &random) { members.append("\"author\":\(author())") }
      if Bool.random(using: &random) {
        let comments = (0..<Int.random(in: 0..<3, using: &random)).map { _ in comment() }
        members.append("\"comments\":[\(comments.joined(separator: ","))]")
      }
      return "{\(members.joined(separator: ","))}"
    }
    return "[\(posts.joined(separator: ","))]"
  }

  @Test(arguments: 0..<UInt64(scaled(67)))
  func `each reference of an imported row to a missing one is reported`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (first, second) = (posts(&random), posts(&random))
    func options(_ policy: ConflictPolicy) -> ImportOptions {
      ImportOptions(format: .nested, schema: blogSchema, root: "posts", onConflict: policy)
    }
    let base = try #require(importing([first], options(.merge)).database)
    // The rows of an input are those that it has alone.
    let rows = try #require(importing([second], options(.merge)).database).records.map(\.id)
    for text in [second, first] {
      for policy in [ConflictPolicy.keep, .replace, .merge] {
        let (database, report) = importing([text], into: base, options(policy))
        let result = try #require(database)
        let read = text == first ? base.records.map(\.id) : rows
        let missing = read.compactMap(result.record).flatMap(\.references)
          .filter { result.record($0.raw) == nil }
        let found = report.problems.filter { $0.kind == .danglingReference }
        expectEqual(found.count, missing.count, "\(policy) of \(text) into \(first)")
      }
    }
  }

  @Test func `the path of a reference leads to it, in all shapes`() throws {
    let resource = #"""
      {"data":[{"type":"posts","id":"1","attributes":{"title":"x","author":"9"},"relationships":
      {"comments":{"data":[{"type":"comments","id":"1"},{"type":"comments","id":"9"}]}}}],
      "included":[{"type":"comments","id":"1","relationships":{"author":{"data":
      {"type":"authors","id":"8"}}}},{"type":"authors","id":"1","attributes":{}}]}
      """#
    let options = ImportOptions(format: .jsonapi, schema: blogSchema, root: "posts")
    expectEqual(
      importing([resource], options).report.problems.map(\.path),
      [
        "$.data[0].relationships.comments.data[1]", "$.data[0].attributes.author",
        "$.included[0].relationships.author.data",
      ])
  }
}
