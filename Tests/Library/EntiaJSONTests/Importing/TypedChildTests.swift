import Entia
import EntiaJSON
import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

private struct Post: EntityType, Identifiable, Codable {
  let id: Int
  var title: String?
}

private struct Remark: EntityType, Identifiable, Codable {
  let id: Int
  var text: String?
  var postID: Post.EntityID
  var answers: String?
}

private struct Vote: EntityType, Identifiable, Codable {
  enum CodingKeys: String, CodingKey {
    case id
    case remarkID = "remark"
  }

  let id: Int
  var remarkID: Remark.EntityID?
}

private struct Letter: EntityType, Identifiable, Codable {
  let id: Int
  var senderID: Post.EntityID?
  var receiverID: Post.EntityID?
}

@NormalizedStorage
private struct Forum {
  @Table var posts: Tables.Hash<Post> = .init()
  @Table var remarks: Tables.Ordered<Remark> = .init()
  @Table var votes: Tables.Hash<Vote> = .init()
  @Table var letters: Tables.Hash<Letter> = .init()
  @Relationship var remarkPost: ToOne<Remark, Post> = .init(\.postID, onDelete: .cascade)
  @Relationship var voteRemark: ToOne<Vote, Remark> = .init(\.remarkID, onDelete: .nullify)
  @Relationship var letterSender: ToOne<Letter, Post> = .init(\.senderID)
  @Relationship var letterReceiver: ToOne<Letter, Post> = .init(\.receiverID)
}

@Suite("Children that are nested in their parents")
struct TypedChildTests {
  private func posts(
    _ text: String, strict: Bool = false, keys: KeySpelling = .same, into forum: Forum = Forum()
  ) -> (forum: Forum?, report: ImportReport) {
    let result = Importer.importing(
      [source(text)], of: Post.self, into: forum,
      options: TypedImportOptions(keys: keys, strict: strict))
    let report = result.report
    expectEqual(
      report.read, report.inserted + report.updated + report.unchanged + report.rejected,
      "Law 33: read = inserted + updated + unchanged + rejected")
    return (result.database, report)
  }

  @Test("children under a table's name are imported with a key to the parent, at any depth")
  func imports() throws {
    let text = """
      [{"id": 1, "title": "A",
        "remarks": [{"id": 10, "text": "x", "votes": [{"id": 100}, {"id": 101, "remark": null}]},
                    {"id": 11, "postID": 1, "votes": {"id": 102}}]},
       {"id": 2, "remarks": []}, {"id": 3, "remarks": [{"id": 12}]}]
      """
    let (forum, report) = posts(text, strict: true)
    let found = try #require(forum)
    expectTrue(report.problems.isEmpty && report.ignored.isEmpty)
    expectTrue(report.read == 9 && report.inserted == 9)
    expectEqual(found.remarks.map(\.id), [10, 11, 12])
    expectEqual(found.remarks.map(\.postID), [1, 1, 3])
    expectEqual(found.votes.map(\.remarkID), [10, 10, 11])
    expectTrue(found.verify().isEmpty)
    let again = posts(text, into: found)
    expectTrue(again.forum == found && again.report.unchanged == 9)
  }

  @Test("random nested children equal the same rows in tables with keys")
  func equalsTables() throws {
    for seed in 0..<UInt64(100) {
      var random = SeededGenerator(seed: seed)
      var tables: [String: [String]] = [:]
      func list(_ table: String, _ of: (key: String, id: Int), _ ids: Range<Int>) -> String {
        let rows = ids.map { id in
          let key = "\"\(of.key)\":\(of.id)"
          let text = "\"text\":\"\(Int.random(in: 0...2, using: &random))\""
          tables[table, default: []].append("{\"id\":\(id),\(key),\(text)}")
          var members = ["\"id\":\(id)", text]
          switch Int.random(in: 0...2, using: &random) {
          case 0: members.append(key)
          case 1: members.append("\"\(of.key)\":null")
          default: break
          }
          if table == "remarks" {
            let count = Int.random(in: 0...2, using: &random)
            members.append("\"votes\":" + list("votes", ("remark", id), id * 3..<id * 3 + count))
          }
          return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
        }
        return "[" + rows.joined(separator: ",") + "]"
      }
      var posts: [String] = []
      for id in 0..<3 {
        let remarks = list(
          "remarks", ("postID", id), id * 3..<id * 3 + Int.random(in: 0...3, using: &random))
        tables["posts", default: []].append("{\"id\":\(id)}")
        posts.append("{\"remarks\":\(remarks),\"id\":\(id)}")
      }
      let flat = tables.sorted { $0.key < $1.key }.map {
        "\"\($0.key)\":[" + $0.value.joined(separator: ",") + "]"
      }
      let expected = Importer.importingTables(
        [source("{" + flat.joined(separator: ",") + "}")], into: Forum())
      let (forum, report) = self.posts("[" + posts.joined(separator: ",") + "]", strict: true)
      expectTrue(forum != nil && forum == expected.database, "seed \(seed)")
      expectEqual(report.read, expected.report.read, "seed \(seed)")
    }
  }

  @Test("rows of tables and objects in the places of IDs may have children")
  func tables() throws {
    let (forum, report) = Importer.importingTables(
      [
        source(
          """
          {"posts": [{"id": 1, "remarks": [{"id": 10}]}],
           "votes": {"1": {"id": 1, "remark": {"id": 11, "postID": 1, "votes": [{"id": 2}]}}}}
          """)
      ], into: Forum())
    let found = try #require(forum)
    expectTrue(report.problems.isEmpty)
    expectEqual(found.remarks.map(\.postID), [1, 1])
    expectTrue(found.votes.find(by: 2)?.remarkID == 11 && found.votes.find(by: 1)?.remarkID == 11)
  }

  @Test("children in snake case")
  func snakeCase() throws {
    let (forum, report) = posts(
      #"[{"id": 1, "Remarks": [{"id": 10, "post_id": 1}, {"id": 11}]}]"#, keys: .snakeCase)
    expectTrue(report.problems.isEmpty)
    try expectEqual(#require(forum).remarks.map(\.postID), [1, 1])
  }

  @Test("a child whose key refers to another parent is a conflict")
  func contradictions() {
    let (forum, report) = posts(
      #"[{"id": 1, "remarks": [{"id": 10, "postID": 2}]}, {"id": 2}]"#)
    expectNil(forum)
    expectEqual(
      report.problems.map(\.description),
      [
        "in.json: $[0].remarks[0]: error: conflict: remarks 10 is nested in posts 1, but "
          + "remarkPost refers to posts 2; make them agree, or leave the key out"
      ])
    let twice = posts(
      #"[{"id": 1, "remarks": [{"id": 10}]}, {"id": 2, "remarks": [{"id": 10}]}]"#)
    expectEqual(twice.report.problems.map(\.kind), [.conflict])
  }

  @Test("two matching relationships are a problem with its path")
  func ambiguities() {
    let (forum, report) = posts(#"[{"id": 1, "letters": [{"id": 5}]}]"#)
    expectNil(forum)
    expectEqual(
      report.problems.map(\.description),
      [
        "in.json: $[0].letters: error: typeMismatch: letters has 2 relationships to posts, "
          + "letterSender and letterReceiver: it is ambiguous which of them refers to the parent; "
          + "import letters as a table of its own"
      ])
  }

  @Test("an element that is not a record is a problem with its path")
  func elements() {
    let (_, report) = posts(#"[{"id": 1, "remarks": [{"id": 10}, 11, {"text": "x"}]}]"#)
    expectEqual(
      report.problems.map(\.description),
      [
        "in.json: $[0].remarks[1]: error: typeMismatch: expected an object as a record of "
          + "remarks, found a number",
        "in.json: $[0].remarks[2]: error: missingID: this record of remarks has no \"id\"",
      ])
  }

  @Test("another member with objects is counted as ignored, and is an error of a strict import")
  func ignored() {
    let text = """
      [{"id": 1, "remark": [{"id": 10}], "tags": ["a"], "answers": {"x": 1}},
       {"id": 2, "remark": [[{"id": 11}]], "posts": [{"id": 3}]}]
      """
    let (forum, report) = posts(text)
    expectTrue(forum?.remarks.isEmpty == true && report.problems.isEmpty)
    expectEqual(
      report.ignored.map { "\($0.name) \($0.count)" },
      ["posts.answers 1", "posts.posts 1", "posts.remark 2"])
    let strict = posts(text, strict: true)
    expectNil(strict.forum)
    expectEqual(
      strict.report.problems.map(\.description),
      [
        "in.json: $[0].remark: error: unknownEntity: \"remark\" of posts contains objects that "
          + "are not imported; did you mean \"remarks\"?",
        "in.json: $[0].answers: error: unknownEntity: \"answers\" of posts contains objects "
          + "that are not imported",
        "in.json: $[1].posts: error: unknownEntity: \"posts\" of posts contains objects that "
          + "are not imported; no relationship of posts refers to posts",
      ])
  }

  @Test("ignored members of records that recur with the same bytes are counted each time")
  func repeatedIgnored() {
    let vote = #"{"id":1,"remark":{"id":7,"postID":1,"odd":{}}}"#
    let (_, report) = Importer.importingTables(
      [source("{\"posts\":[{\"id\":1}],\"votes\":[\(vote),\(vote),\(vote)]}")], into: Forum())
    expectEqual(report.ignored.map { "\($0.name) \($0.count)" }, ["remarks.odd 3"])
    expectEqual(report.read, 7)
  }

  @Test("a model may decode its children itself")
  func ownDecoding() throws {
    struct Answer: Codable, Hashable { var text: String }
    struct Page: EntityType, Identifiable, Codable {
      let id: Int
      var notes: [Answer]
    }
    struct Note: EntityType, Identifiable, Codable {
      let id: Int
      var pageID: Page.EntityID
    }
    struct Pages: NormalizedStorageType {
      struct Contents: StorageContents {
        var pages = Tables.Hash<Page>()
        var notes = Tables.Hash<Note>()
        var notePage = ToOne<Note, Page>(\.pageID)
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self {
          visitor.table("pages", \.pages)
          visitor.table("notes", \.notes)
          visitor.relationship("notePage", \.notePage)
        }
      }
      typealias Refusal = any Error
      var snapshot = Snapshot(Contents())
    }
    let result = Importer.importing(
      [source(#"[{"id":1,"notes":[{"text":"x"}]}]"#)], of: Page.self, into: Pages(),
      options: TypedImportOptions(strict: true))
    let contents = try #require(result.database).snapshot.contents
    expectEqual(contents.pages.find(by: 1)?.notes, [Answer(text: "x")])
    expectTrue(contents.notes.isEmpty && result.report.ignored.isEmpty)
  }
}
