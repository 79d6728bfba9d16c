import EntiaDatabase
import EntiaLocalServer
import EntiaPostgreSQL
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

private struct Author: EntityType, Identifiable, Codable {
  let id: String
  var name: String
  var email: String?
}

private struct Post: EntityType, Identifiable, Codable {
  struct Place: Codable, Equatable {
    var place: String
    var at: [Double]
  }

  let id: String
  var title: String
  var author: Author.EntityID?
  var comments: [String]
  var published: Bool
  var rating: Double?
  var views: Double
  var `where`: Place?
}

private struct Blog: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var posts = Tables.Ordered<Post>()
    var pinned = Indexes.OrderedID<Post>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("posts", \.posts)
      visitor.index("pinned", \.pinned)
    }
  }

  var snapshot = Snapshot(Contents())
}

/// A seat with an ID of two members, and a number of each kind.
private struct Seat: EntityType, Codable, Equatable {
  struct Place: Hashable, Codable, Sendable {
    var row: String
    var number: Int
  }

  typealias EntityIDRawType = Place
  var entityID: EntityID { EntityID(Place(row: row, number: number)) }
  let row: String
  let number: Int
  var price: Double = 0
  var neighbor: EntityID?
}

private struct Hall: NormalizedStorageType, Equatable {
  struct Contents: StorageContents {
    var seats = Tables.Hash<Seat>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("seats", \.seats) }
  }

  var snapshot = Snapshot(Contents())
}

/// A hall in which some seats are reserved.
private struct ReservedHall: NormalizedStorageType, Equatable {
  struct Contents: StorageContents {
    var seats = Tables.Hash<Seat>()
    var reserved = Indexes.OrderedID<Seat>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("seats", \.seats)
      visitor.index("reserved", \.reserved)
    }
  }

  var snapshot = Snapshot(Contents())
}

@Suite(
  "A space of records opens with a storage",
  .enabled(if: LocalServer.isInstalled, "\(LocalServer.missing)"))
struct TypedSpaceTests {
  private let blog: RecordDatabase

  init() throws {
    // A number that no `Double` has would be an error of its row.
    let text = String(decoding: try fixture("blog/expected.json"), as: UTF8.self)
    blog = try database(Array(text.replacing("1e400", with: "1e40").utf8))
  }

  @Test("The rows are those of the JSON, in their order")
  func load() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "typed")
    try space.write(blog, replacingRows: false)
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "typed")
    let contents = try await shared.load().snapshot.contents
    expectTrue(contents.authors.count == 4 && contents.posts.count == 6)
    let expected = blog.records.filter { $0.id.entity == "posts" }.map { $0.id.key.text }
    expectEqual(contents.posts.map(\.id), expected)
    let post = try #require(contents.posts.find(by: Post.EntityID("p1")))
    expectTrue(post.title == "Bones in the cliff" && post.published && post.rating == 4.5)
    expectTrue(post.author == Author.EntityID("a1") && post.comments == ["c2", "c1", "c6"])
    expectEqual(post.where, Post.Place(place: "Lyme Regis", at: [50.7252, -2.9366]))
    let second = try #require(contents.posts.find(by: Post.EntityID("p2")))
    expectTrue(second.views == 1.2345678901234568e29 && second.where == nil)
    await shared.close()
  }

  @Test("Batches of a program are read back, and rows that it does not have stay")
  func change() async throws {
    let connection = try await TestSpaces.connection()
    let space = try RecordSpace(connecting: connection, space: "changed")
    try space.write(blog, replacingRows: false)
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "changed")
    let loaded = try await shared.loadVersion()
    var next = loaded.storage
    next.performBatchUpdates { context in
      context.modifying.posts.updateIfExists(id: Post.EntityID("p1")) { $0.title = "Bones" }
      context.modifying.pinned.append(Post.EntityID("p2"))
    }
    let outcome = try await shared.push(
      next.changes(since: loaded.storage), client: ClientID(), mutation: 1, base: loaded.version)
    expectEqual(outcome, .committed(version: loaded.version + 1))
    let (json, notes) = try space.read()
    expectEqual(notes, ["'pinned' holds IDs and no rows; it is left out"])
    let copy = try database(json)
    let difference = copy.difference(from: blog).text()
    expectTrue(difference.hasPrefix("posts: 1 updated"), "\(difference)")
    expectEqual(copy.count, blog.count)
    // A program that runs loads the rows that replace its own.
    try space.write(blog, replacingRows: true)
    guard case .trimmed = try await shared.batches(since: loaded.version + 1, limit: 10) else {
      Issue.record("the space was not replaced")
      return
    }
    try await expectEqual(shared.load(), loaded.storage)
    await shared.close()
  }

  @Test("Held IDs of several members are left out like others")
  func heldIDsOfSeveralMembers() async throws {
    let connection = try await TestSpaces.connection()
    let shared = try await SharedDatabase<ReservedHall>(connecting: connection, space: "reserved")
    var hall = ReservedHall()
    hall.performBatchUpdates { context in
      for number in 1...3 { context.modifying.seats.insert(Seat(row: "A", number: number)) }
      for number in [2, 1] {
        context.modifying.reserved.append(.init(Seat.Place(row: "A", number: number)))
      }
    }
    _ = try await shared.push(
      hall.changes(since: ReservedHall()), client: ClientID(), mutation: 1, base: 0)
    let (json, notes) = try RecordSpace(connecting: connection, space: "reserved").read()
    expectEqual(notes, ["'reserved' holds IDs and no rows; it is left out"])
    let rows = try database(json)
    expectEqual(rows.count, 3)
    expectTrue(rows.records.allSatisfy { $0.id.entity == "seats" })
    await shared.close()
  }

  @Test("A space that only a program wrote has its tables, with their IDs")
  func written() async throws {
    let connection = try await TestSpaces.connection()
    let shared = try await SharedDatabase<Blog>(connecting: connection, space: "program")
    var first = Blog()
    first.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a1", name: "$Ann", email: nil))
    }
    _ = try await shared.push(
      first.changes(since: Blog()), client: ClientID(), mutation: 1, base: 0)
    let space = try RecordSpace(connecting: connection, space: "program")
    let copy = try database(try space.read().json)
    expectEqual(copy.schema.entities.map(\.name), ["authors"])
    expectEqual(copy.schema.entities.map(\.idName), ["id"])
    let row = try #require(copy.record(RecordID(entity: "authors", key: .string("a1"))))
    expectEqual(row["name"], .plain(JSONText(.string("$Ann"))))
    await shared.close()
  }

  @Test("Composite IDs and infinite numbers of a program come back from JSON and SQLite")
  func compositeIDs() async throws {
    let connection = try await TestSpaces.connection()
    let shared = try await SharedDatabase<Hall>(connecting: connection, space: "hall")
    var hall = Hall()
    let prices = [0, -0.0, 2, 1.5, 1e300, .infinity, -.infinity]
    hall.performBatchUpdates { context in
      for (index, price) in prices.enumerated() {
        let row = ["A", "A/1", "$A", "1", "é"][index % 5]
        context.modifying.seats.insert(
          Seat(
            row: row, number: index, price: price,
            neighbor: Seat.EntityID(Seat.Place(row: "A", number: 0))))
      }
    }
    _ = try await shared.push(
      hall.changes(since: Hall()), client: ClientID(), mutation: 1, base: 0)
    let space = try RecordSpace(connecting: connection, space: "hall")
    let (json, notes) = try space.read()
    expectEqual(notes, [])
    let copy = try database(json)
    expectEqual(copy.schema.entities.first?.idNames, ["number", "row"])
    expectEqual(copy.count, prices.count)
    let folder = try TemporaryFolder()
    let path = try folder.write(copy)
    for copy in [copy, try database(try RecordFile.read(path).json)] {
      try space.write(copy, replacingRows: true)
      let loaded = try await shared.load()
      expectEqual(loaded, hall)
      let loadedPrices = loaded.snapshot.contents.seats.map(\.price.bitPattern)
      expectEqual(Set(loadedPrices), Set(prices.map(\.bitPattern)))
      try expectEqual(database(try space.read().json), copy)
    }
    await shared.close()
  }

  @Test("A NaN, which JSON does not have, is noted")
  func notANumber() async throws {
    let connection = try await TestSpaces.connection()
    let shared = try await SharedDatabase<Hall>(connecting: connection, space: "nan")
    var hall = Hall()
    hall.performBatchUpdates { context in
      for number in 1...3 {
        context.modifying.seats.insert(
          Seat(row: "$NaN", number: number, price: number == 1 ? 1 : .nan))
      }
    }
    _ = try await shared.push(
      hall.changes(since: Hall()), client: ClientID(), mutation: 1, base: 0)
    let space = try RecordSpace(connecting: connection, space: "nan")
    try expectEqual(
      space.read().notes,
      [
        """
        seats.price: NaN in 2 rows is read as a text such as "$NaN", which is no number for \
        'entia push'
        """
      ])
    await shared.close()
  }
}
