import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("Denormalization")
struct DenormalizationTests {
  func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns why a value is not encoded. The error itself also holds the value, and an expectation
  /// would describe all of it.
  func refusal(of value: some Encodable) -> String? {
    do {
      _ = try json(value)
    } catch EncodingError.invalidValue(_, let context) {
      return context.debugDescription
    } catch {
      Issue.record(error)
    }
    return nil
  }

  @Test("Depth 0 is the entity as stored; each level nests the referenced entities")
  func depths() throws {
    let library = try Library.sample()
    let id = Book.EntityID("b1")
    try expectEqual(
      json(library.denormalized(id, depth: 0)),
      #"{"authorID":"a1","rawID":"b1","sequelID":"b2","title":"One"}"#)
    try expectEqual(
      json(library.denormalized(id)),
      #"{"authorID":"a1","bookAuthor":{"id":"a1","name":"Ann"},"bookSequel":"#
        + #"{"authorID":"a1","rawID":"b2","title":"Two"},"rawID":"b1","sequelID":"b2","title":"One"}"#
    )
    expectNil(library.denormalized(Book.EntityID("b7")))
  }

  @Test("A nesting of too many entities ends at the maximum, and is not encoded")
  func tooMany() throws {
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "Ann"))
      for number in 0..<4_000 {
        let sequel = number == 3_999 ? nil : Book.EntityID("\(number + 1)")
        context.modifying.books.insert(
          Book(rawID: "\(number)", title: "T", authorID: "a", sequelID: sequel))
      }
    }
    let id = Book.EntityID("0")
    let whole = try #require(library.denormalized(id, depth: .max))
    expectTrue(whole.entityCount == 8_000 && !whole.isTooLarge)
    let cut = try #require(library.denormalized(id, depth: .max, maximumCount: 100))
    expectTrue(cut.entityCount == 100 && cut.isTooLarge)
    expectEqual(refusal(of: cut)?.contains("the nesting has more than 100 entities"), true)
    // Every author refers to all books again.
    let all = InverseNesting<Library>.inverse(\.bookAuthor, as: "books", depth: .max)
    let wide = try #require(
      library.denormalized(
        Author.EntityID("a"), depth: .max, following: [all], maximumCount: 10_000))
    expectTrue(wide.isTooLarge && wide.entityCount == 10_000)
    expectEqual(DenormalizedEntity.defaultMaximumCount, 250_000)
    let alone = "\"books\" of Author a alone refers to 4000; use a smaller depth"
    expectEqual(refusal(of: wide)?.contains(alone), true)
  }

  @Test("Law 18: a repeat on one branch yields the ID; a missing target too")
  func repeats() throws {
    var library = try Library.sample()
    try library.performBatchUpdates { context in
      context.modifying.books.updateIfExists(id: "b2") { $0.sequelID = "b1" }
      context.modifying.books.insert(Book(rawID: "b4", title: "Four", authorID: "gone"))
    }
    let nesting = try #require(library.denormalized(Book.EntityID("b1"), depth: 50))
    // b1, its author, b2 and b2's author; b2's sequel is b1 again.
    expectEqual(nesting.entityCount, 4)
    try expectTrue(json(nesting).contains(#""bookSequel":"b1""#))
    try expectEqual(
      json(library.denormalized(Book.EntityID("b4"))),
      #"{"authorID":"gone","bookAuthor":"gone","bookSequel":null,"rawID":"b4","title":"Four"}"#)
  }

  @Test("Law 18: a chain of 15,000 and 10,000 children need no deep stack")
  func longAndWide() throws {
    var library = Library()
    // A nesting has at most 250,000 entities.
    let length = isScaled ? 120_000 : 15_000
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "A"))
      context.modifying.books.insert(
        (0..<length).map {
          Book(rawID: "\($0)", title: "t", authorID: "a", sequelID: .init("\($0 + 1)"))
        })
      context.modifying.shelves.insert(
        Shelf(id: 1, bookIDs: (0..<10_000).map { .init("\($0)") }))
    }
    let nesting = try #require(library.denormalized(Book.EntityID("0"), depth: length))
    expectEqual(nesting.entityCount, 2 * length)
    expectEqual(library.denormalized(Shelf.EntityID(1), depth: 1)?.entityCount, 10_001)
    expectEqual(refusal(of: nesting), "the nesting is deeper than 100 levels")
    try library.performBatchUpdates { $0.modifying.authors.remove("a") }
    expectTrue(library.books.isEmpty)
  }

  @Test("An entity that encodes as a single value is encoded as it is")
  func singleValue() throws {
    struct Word: EntityType, Identifiable, Encodable {
      let id: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("word \(id)")
      }
    }
    struct Storage: NormalizedStorageType {
      struct Contents: StorageContents {
        var words = Tables.Hash<Word>([Word(id: 1)])
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("words", \.words) }
      }
      var snapshot = Snapshot(Contents())
    }
    let encoded = try json([Storage().denormalized(Word.EntityID(1))])
    expectEqual(encoded, #"["word 1"]"#)
  }

  @Test("The error about an entity that is not Encodable names its type")
  func notEncodable() throws {
    struct Plain: EntityType, Identifiable { let id: Int }
    struct Storage: NormalizedStorageType {
      struct Contents: StorageContents {
        var rows = Tables.Hash<Plain>([Plain(id: 1)])
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self { visitor.table("rows", \.rows) }
      }
      var snapshot = Snapshot(Contents())
    }
    let error = #expect(throws: EncodingError.self) {
      try json(Storage().denormalized(Plain.EntityID(1)))
    }
    guard case .invalidValue(_, let context) = error else { return }
    expectEqual(context.debugDescription, "Plain is not Encodable")
  }

  @Test("Inverses are followed when requested, each to its own depth")
  func inverses() throws {
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "A"))
      context.modifying.books.insert([
        Book(rawID: "1", title: "One", authorID: "a"),
        Book(rawID: "2", title: "Two", authorID: "a", sequelID: "1"),
        Book(rawID: "3", title: "Three", authorID: "a", sequelID: "2"),
        Book(rawID: "4", title: "Four", authorID: "a", sequelID: "2"),
      ])
    }
    func nested(_ depth: Int, _ inverses: [InverseNesting<Library>]) throws -> String {
      try json(library.denormalized(Book.EntityID("1"), depth: depth, following: inverses))
    }
    let root = #"{"authorID":"a","rawID":"1","title":"One"}"#
    try expectEqual(nested(0, []), root)
    try expectEqual(nested(0, [.inverse(\.bookSequel, as: "prequels", depth: 0)]), root)
    try expectEqual(
      nested(0, [.inverse(\.bookSequel, as: "prequels")]),
      #"{"authorID":"a","prequels":[{"authorID":"a","rawID":"2","sequelID":"1","title":"Two"}],"#
        + #""rawID":"1","title":"One"}"#)
    let three = #"{"authorID":"a","prequels":[],"rawID":"3","sequelID":"2","title":"Three"}"#
    let four = #"{"authorID":"a","prequels":[],"rawID":"4","sequelID":"2","title":"Four"}"#
    try expectEqual(
      nested(0, [.inverse(\.bookSequel, as: "prequels", depth: 9)]),
      #"{"authorID":"a","prequels":[{"authorID":"a","prequels":[\#(three),\#(four)],"#
        + #""rawID":"2","sequelID":"1","title":"Two"}],"rawID":"1","title":"One"}"#)
    // The references of nested entities count on their own: each book nests its author, whose books
    // are those that are not on the branch.
    let both = try nested(
      1, [.inverse(\.bookAuthor, as: "books"), .inverse(\.bookSequel, as: "prequels", depth: 2)])
    expectTrue(both.contains(#""bookAuthor":{"books":["1",{"#))
    expectEqual(both.contains(#"{"authorID":"a","bookAuthor":"a","#), false)
    expectNil(library.denormalized(Book.EntityID("7"), following: []))
  }

  @Test("Law 18: inverses of 10,000 holders and 10,000 levels need no deep stack, and cycles end")
  func longInverses() throws {
    var library = Library()
    let length = 10_000
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "A"))
      context.modifying.books.insert(
        (0..<length).map {
          Book(
            rawID: "\($0)", title: "t", authorID: "a",
            sequelID: .init("\(($0 + length - 1) % length)"))
        })
    }
    let chain = try #require(
      library.denormalized(
        Book.EntityID("0"), depth: 0,
        following: [.inverse(\.bookSequel, as: "prequels", depth: .max)]))
    expectEqual(chain.entityCount, length)
    let wide = try #require(
      library.denormalized(
        Author.EntityID("a"), depth: 0, following: [.inverse(\.bookAuthor, as: "books")]))
    expectEqual(wide.entityCount, length + 1)
  }

  private struct Topic: EntityType, Identifiable, Codable {
    struct Summary: Codable, Equatable { var text: String }

    let id: Int
    var replies = 2
    var authors = ["a"]
    var summaries = [Summary(text: "s")]
  }

  private struct Reply: EntityType, Identifiable, Codable {
    let id: Int
    var topicID: Topic.EntityID
    var quotedID: Topic.EntityID?
  }

  private struct Forum: NormalizedStorageType {
    struct Contents: StorageContents {
      var topics = Tables.Hash<Topic>()
      var replies = Tables.Hash<Reply>()
      var replyTopic = ToOne<Reply, Topic>(\.topicID)
      var replyQuoted = ToOne<Reply, Topic>(\.quotedID)

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("topics", \.topics)
        visitor.table("replies", \.replies)
        visitor.relationship("replyTopic", \.replyTopic)
        visitor.relationship("replyQuoted", \.replyQuoted)
      }
    }

    typealias Refusal = any Error
    var snapshot = Snapshot(Contents())
  }

  private func forum() throws -> Forum {
    var forum = Forum()
    try forum.performBatchUpdates { context in
      context.modifying.topics.insert(Topic(id: 1))
      context.modifying.replies.insert(Reply(id: 7, topicID: 1))
    }
    return forum
  }

  @Test(
    "An inverse replaces a member of its name, whatever its value is",
    arguments: ["replies", "authors", "summaries", "others"])
  func replaced(_ name: String) throws {
    let forum = try forum()
    for (inverse, text) in [
      (InverseNesting<Forum>.inverse(\.replyTopic, as: name), #"[{"id":7,"topicID":1}]"#),
      (.inverse(\.replyQuoted, as: name), "[]"),
    ] {
      let nesting = forum.denormalized(Topic.EntityID(1), depth: 0, following: [inverse])
      let members = [
        "replies": "2", "authors": #"["a"]"#, "summaries": #"[{"text":"s"}]"#, "id": "1",
      ].merging([name: text]) { $1 }
      let expected = members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }
      try expectEqual(json(nesting), "{" + expected.joined(separator: ",") + "}")
    }
  }

  @Test("Two inverses of one entity with one name are an error of encoding")
  func repeatedNames() throws {
    let nesting = try forum().denormalized(
      Topic.EntityID(1),
      following: [.inverse(\.replyTopic, as: "x"), .inverse(\.replyQuoted, as: "x")])
    let error = #expect(throws: EncodingError.self) { try json(nesting) }
    guard case .invalidValue(_, let context) = error else { return }
    expectEqual(
      context.debugDescription, "two inverses of Topic are named \"x\"; give each a name of its own"
    )
  }
}
