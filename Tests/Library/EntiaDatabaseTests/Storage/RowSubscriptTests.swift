import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("A row is written through its ID")
struct RowSubscriptTests {
  func library() throws -> Library {
    var library = Library()
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a", name: "Ann"))
      context.modifying.authors.insert(Author(id: "b", name: "Ben"))
      context.modifying.books.insert([
        Book(rawID: "1", title: "One", authorID: "a"),
        Book(rawID: "2", title: "Two", authorID: "a"),
      ])
    }
    return library
  }

  @Test("A member is changed in place of the row, and the relationships follow")
  func members() throws {
    var unique = try library()
    try unique.performBatchUpdates { context in
      context.modifying.books["1"]?.title = "New"
      context.modifying.books["1"]?.title += "er"
      context.modifying.books["2"]?.authorID = "b"
      expectEqual(context.modifying.books["1"]?.title, "Newer")
    }
    let kept = try library()
    var copy = kept
    try copy.performBatchUpdates { $0.modifying.books["2"]?.authorID = "b" }
    expectEqual(unique.books.find(by: "1")?.title, "Newer")
    expectEqual(kept.books.find(by: "2")?.authorID, "a")
    for result in [unique, copy] {
      let books = result.view(of: Author.EntityID("b"))?[inverse: \.bookAuthor]
      expectTrue(books?.map(\.title) == ["Two"] && result.verify() == [])
    }
  }

  @Test("A missing row stays missing, also one that was removed in the batch or meanwhile")
  func missing() throws {
    var library = try library()
    try library.performBatchUpdates { context in
      context.modifying.books["9"]?.title = "New"
      context.modifying.books.remove("1")
      context.modifying.books["1"]?.title = "New"
      var other = context.modifying.books
      func change(_ book: inout Book?) {
        other.remove("2")
        book?.title = "New"
      }
      change(&context.modifying.books["2"])
      expectTrue(context.problems.isEmpty)
    }
    expectTrue(library.books.isEmpty && library.verify() == [])
  }

  @Test("Assigning nil removes a row by the delete rules, and assigning a value inserts it")
  func assigning() throws {
    var library = try library()
    try library.performBatchUpdates { context in
      context.modifying.books["3"] = Book(rawID: "3", title: "Three", authorID: "b")
      context.modifying.books["2"] = Book(rawID: "2", title: "II", authorID: "b")
      context.modifying.authors["a"] = nil
      context.modifying.authors["z"] = nil
    }
    expectEqual(library.books.map(\.title), ["II", "Three"])
    expectTrue(library.authors.allIDs() == ["b"] && library.verify() == [])
  }

  @Test("An entity with another ID leaves the row as it was, and is listed")
  func changedID() throws {
    var library = try library()
    let before = library
    let problems = try library.performBatchUpdates { context in
      context.modifying.books["1"] = Book(rawID: "7", title: "Seven", authorID: "a")
      return context.problems
    }
    expectEqual(
      problems, [.changedID(EntityLabel(Book.EntityID("1")), to: EntityLabel(Book.EntityID("7")))])
    expectEqual(library, before)
  }

  @Test("Writes before a throw are stored, as through inout; the batch discards them")
  func throwing() throws {
    struct Stop: Error {}
    func change(_ book: inout Book?) throws {
      book?.title = "New"
      throw Stop()
    }
    var library = try library()
    let before = library
    try library.performBatchUpdates { context in
      try? change(&context.modifying.books["1"])
      expectEqual(context.modifying.books["1"]?.title, "New")
    }
    expectEqual(library.books.find(by: "1")?.title, "New")
    library = before
    #expect(throws: Stop.self) {
      try library.performBatchUpdates { try change(&$0.modifying.books["1"]) }
    }
    expectEqual(library, before)
  }

  #if DEBUG
    @Test("Law 4: a write copies the path to the row once, and a write of an equal row nothing")
    func copies() throws {
      var library = Library()
      try library.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a", name: "Ann"))
        for number in 0..<5_000 {
          context.modifying.books.insert(Book(rawID: "\(number)", title: "t", authorID: "a"))
        }
      }
      try library.performBatchUpdates { context in
        let nothing = TableWork.counting { context.modifying.books["77"]?.title = "t" }
        expectEqual(nothing.copiedNodes, 0)
        let first = TableWork.counting { context.modifying.books["77"]?.title = "x" }
        let updated = TableWork.counting {
          context.modifying.books.updateIfExists(id: "4000") { $0.title = "y" }
        }
        expectTrue(first.copiedNodes > 0 && first.copiedNodes <= updated.copiedNodes + 2)
        let again = TableWork.counting {
          for number in 0..<100 { context.modifying.books["77"]?.title = "\(number)" }
        }
        expectEqual(again.copiedNodes, 0)
      }
    }
  #endif
}
