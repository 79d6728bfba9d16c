import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("Law 34: verify() finds every kind of defect")
struct VerifyTests {
  /// What verification says of the sample library with something broken in it.
  func issues(_ breakSomething: (inout Library.Contents) -> Void) throws -> [String] {
    var library = try Library.sample()
    expectEqual(library.verify(), [])
    var contents = library.snapshot.contents
    breakSomething(&contents)
    library.snapshot = Snapshot(unchecked: contents)
    return library.verify().map(\.description)
  }

  @Test("A key that leads nowhere, one line for each mention")
  func dangling() throws {
    let found = try issues {
      $0.books.insert(Book(rawID: "b3", title: "", authorID: "a9", sequelID: "b8"))
      $0.shelves.insert(Shelf(id: 1, bookIDs: ["b3", "b7", "b1", "b2"]))
      $0 = Snapshot($0).contents
    }
    expectEqual(
      found,
      [
        "Book b3: bookAuthor references Author a9, which does not exist",
        "Book b3: bookSequel references Book b8, which does not exist",
        "Shelf 1: shelfBooks references Book b7, which does not exist",
      ])
  }

  @Test("A reverse map with a missing holder, an extra one, and one for an unreferenced target")
  func reverseMaps() throws {
    try expectEqual(
      issues { $0.bookAuthor.links.unlink("b1", from: "a1") },
      [
        "bookAuthor: the stored holders of Author a1 differ from the rows that reference it"
      ])
    try expectEqual(
      issues { $0.shelfBooks.links.link(2, to: "b1") },
      [
        "shelfBooks: the stored holders of Book b1 differ from the rows that reference it"
      ])
    try expectEqual(
      issues { $0.bookSequel.links.link("b3", to: "b1") },
      [
        "bookSequel: the stored holders of Book b1 differ from the rows that reference it"
      ])
    try expectEqual(
      issues { $0.bookAuthor.removeAllLinks() },
      [
        "bookAuthor: the stored holders of Author a1 differ from the rows that reference it",
        "bookAuthor: the stored holders of Author a2 differ from the rows that reference it",
      ])
  }

  @Test("A row whose ID is not the one it was stored under")
  func misfiled() throws {
    let found = try issues { $0.authors.rows.update("a2") { $0 = Author(id: "a7", name: "Bob") } }
    expectEqual(
      found,
      [
        "authors: Author a7 cannot be found by its ID",
        "Book b3: bookAuthor references Author a2, which does not exist",
      ])
  }

  @Test("A count that is not that of the rows in order")
  func order() throws {
    let found = try issues { $0.shelves.rows.liveCount += 1 }
    expectEqual(found, ["shelves: 1 rows in order for a count of 2"])
  }

  @Test("New contents are rebuilt, whatever their relationships held")
  func rebuilt() throws {
    let library = try Library.sample()
    var contents = library.snapshot.contents
    contents.bookAuthor.links.link("b3", to: "a1")
    contents.shelfBooks.removeAllLinks()
    contents.books.remove("b1")
    var other = Library()
    other.snapshot = Snapshot(contents)
    expectEqual(
      other.verify().map(\.description),
      [
        "Shelf 1: shelfBooks references Book b1, which does not exist"
      ])
    expectEqual(other.snapshot.contents.bookAuthor.holderIDs(of: "a1"), ["b2"])
  }
}

extension VerifyTests {
  @Test("A position that is not the one that iteration has a row at")
  func positions() throws {
    var radio = Radio()
    try radio.performBatchUpdates { context in
      context.modifying.artists.insert(Artist(id: 1, name: ""))
      context.modifying.playlist.insert((0..<300).map { Song(id: $0, title: "", artistID: 1) })
    }
    expectEqual(radio.verify(), [])
    let damages: [(inout OrderedBranchHeader, UnsafeMutablePointer<Int32>) -> Void] = [
      { $1[0] -= 1 },
      // The positions of a playlist that was never edited are computed.
      { header, _ in header.regularLength += 1 },
    ]
    for damage in damages {
      var damaged = radio
      var contents = radio.snapshot.contents
      let root = contents.playlist.rows.branches.unique(0)
      damage(&root.mutableHeader.pointee, root.mutableElements)
      damaged.snapshot = Snapshot(unchecked: contents)
      let issues = damaged.verify().map(\.description)
      expectEqual(issues.first?.hasPrefix("playlist: Song "), true)
      expectEqual(issues.first?.contains("and found at"), true)
    }
  }
}
