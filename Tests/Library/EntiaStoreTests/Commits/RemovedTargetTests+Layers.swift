import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

extension RemovedTargetTests {
  @Test("A commit depends on layers that insert an entity and remove it again")
  func layers() throws {
    let (store, _) = try Self.store(.cascade)
    func add(_ name: String, _ body: @escaping @Sendable (inout Tables) -> Void) throws {
      _ = try store.addLayer(name) { desk in
        try desk.shelf.performBatchUpdates { body(&$0.modifying) }
      }
    }
    try add("New author") { $0.authors.insert(Shelf.Author(id: 4)) }
    try add("Remove author") { $0.authors.remove(.init(4)) }
    // The book references an author that is missing without the layers.
    try Self.commit("Book", store) { $0.books.insert(Shelf.Book(id: 4, authorID: 4)) }
    let shown = Self.books(store)
    try add("Anything") { $0.authors.insert(Shelf.Author(id: 5)) }
    expectEqual(Self.books(store), shown)
    expectEqual(store.committedState.shelf.snapshot.contents.books.map(\.id), [1, 2, 3, 4])
  }

  private static func layer(
    _ store: Store<Desk, Never>, _ body: @escaping @Sendable (inout Tables) -> Void
  ) throws -> StoreLayer<Desk> {
    try store.addLayer { desk in
      try desk.shelf.performBatchUpdates { body(&$0.modifying) }
    }
  }

  @Test(
    "A layer whose edit first changes nothing fails like any other if the target is removed",
    arguments: rules, [1, 3])
  func layerWithoutChange(rule: DeleteRule, author: Int) throws {
    let (store, problems) = try Self.store(rule)
    func move(_ author: Int) throws {
      try Self.commit("Move", undo: .none, store) {
        $0.books.updateIfExists(id: .init(1)) { $0.authorID = .init(author) }
      }
    }
    try move(author)
    let layer = try Self.layer(store) {
      $0.books.updateIfExists(id: .init(1)) { $0.authorID = .init(3) }
    }
    try move(1)
    expectEqual(store.state.shelf.snapshot.contents.books.find(by: 1)?.authorID, 3)
    try Self.commit("Remove", undo: .none, store) { tables in
      tables.notes.remove(.init(3))
      tables.books.remove(.init(3))
      tables.authors.remove(.init(3))
    }
    expectEqual(store.state.shelf.snapshot.contents.books.find(by: 1)?.authorID, 1)
    expectEqual(store.state.shelf.verify(), [])
    expectTrue(problems.last?.contains("bookAuthor requires Author 3") == true)
    #expect(throws: BatchError.self) { try layer.confirm() }
    expectEqual(store.committedState.shelf.verify(), [])
  }

  @Test("A layer may reference an entity that its edit did not reference when it was added")
  func layerOfMissingRow() throws {
    let (store, problems) = try Self.store(.cascade)
    let layer = try Self.layer(store) { tables in
      tables.books.updateIfExists(id: .init(5)) { $0.authorID = .init(9) }
    }
    try Self.commit("Load", undo: .none, store) { $0.books.insert(Shelf.Book(id: 5, authorID: 1)) }
    expectEqual(store.state.shelf.snapshot.contents.books.find(by: 5)?.authorID, 9)
    try layer.confirm()
    expectEqual(problems.count, 0)
  }

  @Test("A layer may reference an entity that was missing when it was added")
  func layerWithMissingTarget() throws {
    let (store, problems) = try Self.store(.cascade)
    let layer = try Self.layer(store) { $0.books.insert(Shelf.Book(id: 5, authorID: 9)) }
    try Self.commit("Insert", undo: .none, store) { $0.authors.insert(Shelf.Author(id: 9)) }
    try Self.commit("Remove", undo: .none, store) { $0.authors.remove(.init(9)) }
    expectEqual(Self.books(store), [1, 2, 3, 5])
    try layer.confirm()
    expectTrue(Self.books(store) == [1, 2, 3, 5] && problems.count == 0)
  }

  @Test("A layer that removes the target of a row that it wrote fails if the target is missing")
  func layerThatRemovesTarget() throws {
    let (store, problems) = try Self.store(.cascade)
    let layers = [
      try Self.layer(store) { tables in
        tables.books.insert(Shelf.Book(id: 5, authorID: 1))
        tables.authors.remove(.init(1))
      },
      try Self.layer(store) { tables in
        tables.readers.insert(Shelf.Reader(id: 5, favoriteID: 2))
        tables.books.remove(.init(2))
      },
    ]
    // The reference of this layer dangles from the beginning.
    let dangling = try Self.layer(store) { tables in
      tables.authors.remove(.init(3))
      tables.books.insert(Shelf.Book(id: 6, authorID: 3))
    }
    expectEqual(Self.books(store), [6])
    try Self.commit("Remove", undo: .none, store) { tables in
      for id in 1...3 { tables.authors.remove(.init(id)) }
    }
    expectTrue(Self.books(store) == [6] && problems.count == 2, "\(problems.elements)")
    expectTrue(store.state.shelf.snapshot.contents.readers.isEmpty)
    for layer in layers { #expect(throws: BatchError.self) { try layer.confirm() } }
    expectEqual(store.committedState.shelf.verify(), [])
    try dangling.confirm()
    expectEqual(store.committedState.shelf.snapshot.contents.books.map(\.id), [6])
  }

  @Test("A layer is replayed if a commit inserts a row that a delete rule of the layer removes")
  func missingRows() throws {
    var gallery = Gallery()
    try gallery.performBatchUpdates { $0.modifying.pages.insert(.init(id: 1, imageID: 5)) }
    let store = Store<Gallery, Never>(initialState: gallery)
    let layer = try store.addLayer { gallery in
      try gallery.performBatchUpdates { $0.modifying.pages.remove(.init(1)) }
    }
    try store.commit { gallery in
      try gallery.performBatchUpdates { $0.modifying.images.insert(.init(id: 5)) }
    }
    expectTrue(store.state.snapshot.contents.images.isEmpty)
    expectEqual(store.committedState.snapshot.contents.images.count, 1)
    try layer.confirm()
    expectTrue(store.committedState.snapshot.contents.images.isEmpty)
  }
}

/// A database in which a removed page removes its image, which may be missing.
private struct Gallery: NormalizedStorageType {
  struct Image: EntityType, Identifiable { let id: Int }

  struct Page: EntityType, Identifiable {
    let id: Int
    var imageID: Image.EntityID?
  }

  struct Contents: StorageContents {
    var images = Tables.Hash<Image>()
    var pages = Tables.Hash<Page>()
    var pageImage = ToOne<Page, Image>(
      \.imageID, onDelete: .keepDangling, onHolderDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("images", \.images)
      visitor.table("pages", \.pages)
      visitor.relationship("pageImage", \.pageImage)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}
