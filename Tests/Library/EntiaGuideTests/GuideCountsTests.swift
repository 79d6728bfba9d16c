import Entia
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

/// The counts of the article *How do I sort once?*.
@Suite("Counts of the pages")
struct GuideCountsTests {
  @Test("The comparisons of the article on sorting are those that are made")
  func comparisons() throws {
    let stated = try Self.statedCounts()
    #expect(stated.count == 4)
    for (way, counts) in stated {
      let measured = try #require(Self.count(way))
      for (stated, found) in zip(counts, measured) {
        // The page has round figures.
        let isClose = abs(found - stated) <= stated / 5
        #expect(isClose, "\(way): the page has \(stated), and \(measured) are found")
      }
    }
  }

  /// Returns the comparisons of the first read, of ten letters and of one renamed book.
  private static func count(_ way: String) -> [Int]? {
    let books = sample()
    let descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])
    let store = Store<AppState, Never>(initialState: AppState())
    store.batch(\.library) { $0.books.insert(books) }
    switch way {
    case "derived from the whole state":
      return count(store) {
        let value = store.derived(.map { $0.library.books.sorted { $0.title < $1.title } })
        return { value.value.count }
      }
    case "derived in two steps":
      return count(store) {
        let value = store.derived(.select(\.library.books)).derived(
          .map { $0.sorted { $0.title < $1.title } })
        return { value.value.count }
      }
    case "live query":
      return count(store) {
        let value = store.query(descriptor, in: \.library)
        let subscription = value.sinkState(queue: .passthrough) { _ in }
        return { withExtendedLifetime(subscription) { value.value.count } }
      }
    case "index":
      return count(store) {
        store.batch(\.indexed) { $0.books.insert(books) }
        return { store.state.indexed.fetch(descriptor).count }
      }
    default: return nil
    }
  }

  private static func count(
    _ store: Store<AppState, Never>, _ make: () -> (() -> Int)
  ) -> [Int] {
    var read: () -> Int = { 0 }
    let first = Title.counting {
      read = make()
      _ = read()
    }
    let letters = Title.counting {
      for number in 1...10 {
        store.commit { $0.searchText = String(repeating: "a", count: number) }
        _ = read()
      }
    }
    let renamed = Title.counting {
      store.commit { state in
        state.library.performBatchUpdates { $0.modifying.books[5_000]?.title = "new" }
        state.indexed.performBatchUpdates { $0.modifying.books[5_000]?.title = "new" }
      }
      _ = read()
    }
    return [first, letters, renamed]
  }

  /// Returns the counts of each row of the table in the article.
  private static func statedCounts() throws -> [String: [Int]] {
    let path = "Sources/Library/Entia/Entia.docc/Questions/SortOnce.md"
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    let rows = text.split(separator: "\n").drop { !$0.hasPrefix("| | First time") }
      .prefix { $0.hasPrefix("|") }.dropFirst(2)
    var counts: [String: [Int]] = [:]
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      counts[cells[0]] = try cells.dropFirst().map { cell in
        try #require(Int(cell.replacingOccurrences(of: ",", with: "")))
      }
    }
    return counts
  }

  private static func sample() -> [Book] {
    var random = SeededGenerator(seed: 1)
    return (0..<10_000).map { Book(id: $0, title: Title("\(random.next())")) }
  }
}

/// A title that counts its comparisons.
private struct Title: Comparable, Codable, Sendable, ExpressibleByStringLiteral {
  @TaskLocal private static var counter: Counter?

  private let text: String

  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  static func < (lhs: Title, rhs: Title) -> Bool {
    counter?.increment()
    return lhs.text < rhs.text
  }

  /// Returns the number of comparisons that a closure makes.
  static func counting(_ body: () -> Void) -> Int {
    let counter = Counter()
    $counter.withValue(counter) { body() }
    return counter.count
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var count: Int { lock.withLock { number } }

    func increment() { lock.withLock { number += 1 } }
  }
}

@Entity
private struct Book {
  let id: Int
  var title: Title
}

@NormalizedStorage
private struct Library {
  @Table var books: Tables.Hash<Book> = .init()
}

@NormalizedStorage
private struct IndexedLibrary {
  @Table var books: Tables.Hash<Book> = .init()
  @Index var booksByTitle: Indexes.Sorted<Book, Title> = .init(\.title)
}

private struct AppState: Equatable, Sendable {
  var library = Library()
  var indexed = IndexedLibrary()
  var searchText = ""
}
