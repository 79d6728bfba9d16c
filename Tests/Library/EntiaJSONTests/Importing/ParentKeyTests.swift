import Entia
import EntiaJSON
import EntiaTestSupport
import Testing

@Entity
private struct User {
  let id: String
  var name = ""
}

@Entity
private struct SetWatch {
  let id: Int
  var watchers: Set<User.EntityID> = []
  var seen: Set<User.EntityID>?
  var list: [User.EntityID]?
}

@Entity
private struct ListWatch {
  let id: Int
  var watchers: [User.EntityID]?
  var seen: [User.EntityID]?
}

@Entity
private struct Role {
  let id: Int
  var roles: [User.EntityID: String] = [:]
  var seen: [User.EntityID]?
}

@Entity
private struct Job {
  let id: Int
  @Stored("creator") var ownerID: User.EntityID
  @Stored("owner") var reviewerID: User.EntityID?
}

@Entity
private struct Plain {
  let id: Int
  var ownerID: User.EntityID
  var owner: User.EntityID?
}

@Entity
private struct Memo {
  let id: Int
  @Stored("written_by") var authorID: User.EntityID?
  var reviewerID: User.EntityID?
  var note = ""
}

@Entity
private struct Pair {
  let id: Int
  var firstID: User.EntityID
  var secondID: User.EntityID
}

@NormalizedStorage
private struct Office {
  @Table var users: Tables.Hash<User> = .init()
  @Table var setWatches: Tables.Hash<SetWatch> = .init()
  @Table var listWatches: Tables.Hash<ListWatch> = .init()
  @Table var roles: Tables.Hash<Role> = .init()
  @Table var jobs: Tables.Hash<Job> = .init()
  @Table var plains: Tables.Hash<Plain> = .init()
  @Table var memos: Tables.Hash<Memo> = .init()
  @Table var pairs: Tables.Hash<Pair> = .init()
  @Relationship var setUsers: ToMany<SetWatch, User> = .init(\.watchers, onDelete: .nullify)
  @Relationship var listUsers: ToMany<ListWatch, User> = .init(\.watchers, onDelete: .nullify)
  @Relationship var roleUsers: ToMany<Role, User> = .init(\.roles, onDelete: .keepDangling)
  @Relationship var jobOwner: ToOne<Job, User> = .init(\.ownerID, onDelete: .cascade)
  @Relationship var plainOwner: ToOne<Plain, User> = .init(\.ownerID, onDelete: .cascade)
  @Relationship var memoAuthor: ToOne<Memo, User> = .init(\.authorID, onDelete: .nullify)
  @Relationship var pairFirst: ToOne<Pair, User> = .init(\.firstID, onDelete: .cascade)
}

@Suite("The key that a nested child takes from its parent")
struct ParentKeyTests {
  private func imported(_ text: String) throws -> Office {
    let result = Importer.importing(
      [source(text)], of: User.self, into: Office(), options: TypedImportOptions(strict: true))
    expectTrue(result.report.problems.isEmpty)
    let report = result.report
    expectEqual(report.read, report.inserted + report.updated + report.unchanged)
    expectTrue(report.updated == 0 && report.unchanged == 0)
    return try #require(result.database)
  }

  @Test("A record that has its key keeps all other references as they are: Law 28")
  func kept() throws {
    var office = Office()
    office.performBatchUpdates { context in
      context.modifying.users.insert([User(id: "u"), User(id: "v")])
      for id in 1...2 {
        context.modifying.setWatches.insert(SetWatch(id: id, watchers: ["u"]))
        context.modifying.listWatches.insert(ListWatch(id: id, watchers: ["u"]))
        context.modifying.roles.insert(Role(id: id, roles: ["u": "x"]))
        context.modifying.jobs.insert(Job(id: id, ownerID: "u"))
        context.modifying.plains.insert(Plain(id: id, ownerID: "u"))
        context.modifying.memos.insert(Memo(id: id, authorID: "u"))
        context.modifying.pairs.insert(Pair(id: id, firstID: "u", secondID: "v"))
      }
    }
    let inverses: [InverseNesting<Office>] = [
      .inverse(\.setUsers, as: "setWatches"), .inverse(\.listUsers, as: "listWatches"),
      .inverse(\.roleUsers, as: "roles"), .inverse(\.jobOwner, as: "jobs"),
      .inverse(\.plainOwner, as: "plains"), .inverse(\.memoAuthor, as: "memos"),
      .inverse(\.pairFirst, as: "pairs"),
    ]
    let bytes = try office.exportJSON(User.self, following: inverses)
    let text = String(decoding: bytes, as: UTF8.self)
    try expectEqual(imported(text), office)
    let again = Importer.importing([source(text)], of: User.self, into: office)
    expectTrue(again.report.problems.isEmpty && again.database == office)
  }

  @Test("A record without its key takes it from the parent, whatever its name, and nothing else")
  func taken() throws {
    let office = try imported(
      """
      [{"id":"u","jobs":[{"id":1},{"id":2,"creator":"u"},{"id":3,"creator":null,"owner":null}],
        "memos":[{"id":1},{"id":2,"note":"n"}],"plains":[{"id":1,"ownerID":"u"},{"id":2}],
        "setWatches":[{"id":1},{"id":2}],"listWatches":[{"id":1,"seen":[]},{"id":2}]}]
      """)
    expectTrue(office.jobs.allSatisfy { $0.ownerID == "u" && $0.reviewerID == nil })
    expectTrue(office.memos.allSatisfy { $0.authorID == "u" && $0.reviewerID == nil })
    expectTrue(office.plains.allSatisfy { $0.ownerID == "u" && $0.owner == nil })
    expectTrue(
      office.setWatches.allSatisfy { $0.watchers == ["u"] && $0.seen == nil && $0.list == nil })
    expectEqual(office.listWatches.map(\.watchers), [["u"], ["u"]])
    expectEqual(office.listWatches.map(\.seen), [[], nil])
    expectTrue(office.jobs.count == 3 && office.memos.count == 2 && office.plains.count == 2)
  }

  @Test(
    "Another reference that is missing is an error, not the key of the parent",
    arguments: [#""firstID":"u""#, #""note":"no key""#])
  func missing(member: String) {
    let result = Importer.importing(
      [source("[{\"id\":\"u\",\"pairs\":[{\"id\":1,\(member)}]}]")], of: User.self,
      into: Office())
    expectNil(result.database)
    expectTrue(result.report.problems.map(\.message).joined().contains("secondID"))
  }
}
