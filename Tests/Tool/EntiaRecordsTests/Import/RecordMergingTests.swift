import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Import with a schema: merging pages")
struct RecordMergingTests {
  private let page1 = """
    [{"id": "p1", "title": "One", "author": {"id": "a1", "name": "Ann", "bio": "B"}, "isRead": true}]
    """
  private let page2 = """
    [{"id": "p1", "title": "One!", "author": {"id": "a1", "name": "Anna", "bio": null}}]
    """

  private static let keepingIsRead = MergePolicy<Record> { existing, incoming in
    Record(
      id: incoming.id, members: incoming.members + existing.members.filter { $0.name == "isRead" })
  }

  private static let takingTitle = MergePolicy<Record> { existing, incoming in
    Record(
      id: existing.id,
      members: existing.members.map { name, value in
        (name, name == "title" ? incoming["title"] ?? value : value)
      })
  }

  private func merged(_ policies: [String: MergePolicy<Record>]) -> (RecordDatabase?, ImportReport)
  {
    var options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
    let database = importing([page1], options).database
    options.merging = policies
    return importing([page2], into: database, options)
  }

  @Test("each policy determines the members of the merged row")
  func policies() {
    for (post, author, policy) in [
      (
        #"{"id":"p1","title":"One!","author":"a1","isRead":true}"#,
        #"{"id":"a1","name":"Anna","bio":null}"#, Self.keepingIsRead
      ),
      (
        #"{"id":"p1","title":"One!","author":"a1","isRead":true}"#,
        #"{"id":"a1","name":"Ann","bio":"B"}"#, Self.takingTitle
      ),
      (
        #"{"id":"p1","title":"One!","author":"a1"}"#, #"{"id":"a1","name":"Anna","bio":null}"#,
        .replace
      ),
      (
        #"{"id":"p1","title":"One","author":"a1","isRead":true}"#,
        #"{"id":"a1","name":"Ann","bio":"B"}"#, .keep
      ),
    ] {
      let (database, report) = merged(["posts": policy, "authors": policy])
      expectTrue(report.problems.isEmpty)
      expectEqual(database?.text.contains(post), true, "\(database?.text ?? "")")
      expectEqual(database?.text.contains(author), true, "\(database?.text ?? "")")
    }
  }

  @Test("an entity without a policy follows the conflict policy; a changed ID is a problem")
  func others() {
    let (none, report) = merged(["posts": .replace])
    expectNil(none)
    expectTrue(
      report.problems.map(\.kind) == [.conflict] && report.problems[0].path == "$[0].author")
    let renamed = merged([
      "posts": MergePolicy { old, _ in
        Record(id: RecordID(entity: "posts", key: .string("x")), members: old.members)
      }, "authors": .replace,
    ])
    expectNil(renamed.0)
    expectEqual(
      problems(renamed.1),
      [
        "in.json: $[0]: error: inconsistency: the merge policy of posts makes posts \"x\" of posts "
          + "\"p1\"; a merge keeps the ID"
      ])
  }

  @Test("a policy for a name that is no entity is a problem")
  func unknownNames() {
    for (name, problem) in [
      ("Posts", "\"Posts\", which is no entity of the schema; did you mean \"posts\"?"),
      ("zzzzzzz", "\"zzzzzzz\", which is no entity of the schema"),
    ] {
      let (database, report) = merged([name: .replace, "authors": .replace])
      expectTrue(database == nil && report.problems.map(\.kind).contains(.usage))
      expectTrue(
        report.problems.contains { $0.message == "merging has a policy for " + problem },
        "\(report.problems)")
    }
    // Without a schema, a page may lack the rows of an entity.
    var options = ImportOptions(format: .tables)
    options.merging = ["authors": .replace]
    let (database, report) = importing(["{\"posts\": [{\"id\": 1}]}"], options)
    expectTrue(database != nil && report.problems.map(\.severity) == [.warning])
    options.merging = ["post": .replace]
    expectNil(importing(["{\"posts\": [{\"id\": 1}]}"], options).database)
  }
}

@Suite("Staged rows")
struct StagedRowTests {
  @Test func `a staged row is small, and its parts are independent`() {
    expectEqual(MemoryLayout<StagedRow>.stride, 32)
    var row = StagedRow(id: RecordID(entity: "posts", key: .string("p1")))
    expectTrue(row.table == -1 && !row.isChanged && !row.isRoot)
    for (table, isChanged, isRoot) in [
      (Int32(0), true, false), (7, false, true), (1 << 28, true, true), (-1, false, false),
    ] {
      row.isChanged = isChanged
      row.table = table
      row.isRoot = isRoot
      #expect((row.table, row.isChanged, row.isRoot) == (table, isChanged, isRoot))
    }
  }
}
