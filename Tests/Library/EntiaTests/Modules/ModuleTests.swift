import EntiaTestSupport
import Foundation
import Testing

/// Models are type-checked in modules that differ from this one.
@Suite("Models in other modules")
struct ModuleTests {
  private func errors(_ source: String, _ options: [String] = []) throws -> [CompilerError] {
    let compiler = try #require(Compiler.found)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Model.swift")
    try source.write(to: file, atomically: true, encoding: .utf8)
    return try compiler.errors(in: [file.path], options: options)
  }

  #if compiler(>=6.2)
    @Test(
      "A nonisolated model compiles where all else is isolated to the main actor",
      .enabled(
        if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
    func mainActor() throws {
      let model = """
        import Entia
        import Foundation

        nonisolated enum Model {
          @Entity struct Author { let id: String; var name: String }
        }
        nonisolated extension Model {
          @Entity(id: "shelf", "number") struct Place { let shelf: Int; private let number: Int }
        }

        @Entity
        nonisolated struct Book {
          let id: String
          var title = ""
          var date: Date?
          var authorID: Model.Author.EntityID
          @Transient var isExpanded = false
        }

        @NormalizedStorage
        nonisolated struct Library {
          @Table var authors: Tables.Hash<Model.Author> = .init()
          @Table var books: Tables.Ordered<Book> = .init()
          @Table var places: Tables.Hash<Model.Place> = .init()
          @Index var titles = Indexes.Sorted(by: \\Book.title)
          @Index var saved: Indexes.OrderedID<Book> = .init()
          @Relationship var author: ToOne<Book, Model.Author> = .init(\\.authorID, onDelete: .cascade)
          @Check var title: Checks.Entity<Book> = .init("a title is not empty") { !$0.title.isEmpty }
        }

        nonisolated struct AppState: StateType {
          var library = Library()
          var filter = ""
        }

        final class ViewModel {
          let store = Store<AppState, Never>(initialState: AppState())
          var subscriptions: [StoreSubscription] = []

          func rename(_ id: Book.EntityID) throws {
            try store.batch(\\.library, "Rename") { $0.books[id]?.title += "!" }
            let title = store.state.library.books[id]?.title ?? ""
            let found = store.state.library.fetch(
              FetchDescriptor<Book>(predicate: #Predicate { $0.title == title }))
            for book in found { print(book.title, book.isExpanded) }
            subscriptions.append(store.sinkState { [weak self] in self?.show($0.primitive) })
          }

          func show(_ state: AppState) {}
        }

        @concurrent nonisolated func count(_ library: Library) async -> Int {
          var copy = library
          try? copy.performBatchUpdates { $0.modifying.books.removeAll() }
          return copy.books.count + library.changes(since: copy).books.inserted.count
        }
        """
      try expectEqual(errors(model, ["-default-isolation", "MainActor"]), [])
    }
  #endif

  @Test(
    "Types may have the names of types that the generated code uses",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
  func names() throws {
    let names = [
      "AnyKeyPath", "CodingKey", "Contents", "Decodable", "Decoder", "Encodable", "Encoder",
      "EntityType", "Error", "Hashable", "Identifiable", "NormalizedStorageType", "RowCodable",
      "RowMerger", "RowReader", "RowWriter", "Sendable", "Snapshot", "StorageContents",
      "StorageVisitor", "TransientMember", "TransientMemberDefault",
    ]
    let model = """
      import Entia

      @Entity struct Track { let id: Int; var name: Swift.String; @Transient var isOpen = false }
      @Entity(id: "a", "b") struct Pair { let a: Int; @Stored("c") let b: Int; let track: Track.EntityID }
      @NormalizedStorage
      struct Library {
        @Table var tracks: Tables.Hash<Track> = .init()
        @Table var pairs: Tables.Hash<Pair> = .init()
        @Index var names: Indexes.Unique<Track, Swift.String> = .init(\\.name)
        @Relationship var track: ToOne<Pair, Track> = .init(\\.track)
      }

      """
    try expectEqual(errors(model + names.map { "struct \($0) {}\n" }.joined()), [])
  }

  @Test(
    "Names in backticks, private members and private types",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
  func members() throws {
    let model = """
      import Entia

      @Entity(id: "k", "l") struct Hidden { private let k: Int; private let l: Int }
      @Entity(id: "k", "l") public struct Partly { private let k: Int; public let l: Int }
      @Entity(id: "x", "default") struct Escaped {
        let x: Int
        let `default`: Int
        @Transient var `in` = 3
        @Transient var `odd name` = 4
      }
      @Entity struct Secretive {
        let id: Int
        private struct Secret: Equatable, Sendable { var x = 1 }
        @Transient private var secret: Secret = Secret()
      }
      func change() -> Escaped {
        var escaped = Escaped(x: 1, default: 2)
        escaped.`in` = 5
        escaped.`odd name` = 6
        return escaped
      }
      """
    try expectEqual(errors(model), [])
  }
}
