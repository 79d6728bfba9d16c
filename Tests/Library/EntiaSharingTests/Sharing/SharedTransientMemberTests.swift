import EntiaDatabase
import EntiaSharedState
import EntiaStore
import EntiaTestSupport
import Testing

@testable import EntiaSharing

@Suite("Sharing: transient members")
struct SharedTransientMemberTests {
  struct Note: EntityType, Identifiable, Codable, Hashable {
    enum IsOpenDefault: TransientMemberDefault {
      static var value: Bool { false }
    }

    let id: Int
    var title: String
    private var storedIsOpen = TransientMember<IsOpenDefault>(false)
    var isOpen: Bool {
      get { storedIsOpen.value }
      set { storedIsOpen.value = newValue }
    }

    init(id: Int, title: String) { (self.id, self.title) = (id, title) }
  }

  struct Notes: NormalizedStorageType {
    struct Contents: StorageContents {
      var notes = Tables.Hash<Note>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("notes", \.notes) }
    }

    var snapshot = Snapshot(Contents())
    var notes: Tables.Hash<Note> { snapshot.contents.notes }
  }

  struct List: NormalizedStorageType, Equatable {
    struct Contents: StorageContents {
      var notes = Tables.Ordered<Note>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("notes", \.notes) }
    }

    var snapshot = Snapshot(Contents())
    var notes: Tables.Ordered<Note> { snapshot.contents.notes }
  }

  @Test("They are not shared, and stay in the rows that batches of others change")
  func kept() async throws {
    let space = MemorySpace<Notes>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    func insert(_ id: Int, _ title: String, _ client: ManualClient<Notes>) throws {
      let isNew = client.storage.notes.find(by: .init(id)) == nil
      try client.store.edit {
        if isNew {
          $0.modifying.notes.insert(Note(id: id, title: title))
        } else {
          $0.modifying.notes.updateIfExists(id: .init(id)) { $0.title = title }
        }
      }
    }
    func open(_ id: Int, _ client: ManualClient<Notes>) throws {
      try client.store.edit {
        $0.modifying.notes.updateIfExists(id: .init(id)) { $0.isOpen = true }
      }
    }
    for id in 0..<3 { try insert(id, "note", first) }
    await first.run()
    await second.poll()
    let count = space.log.count
    for id in 0..<3 { try open(id, first) }
    expectEqual(first.engine.recordedNumber, 6)
    await first.run()
    expectEqual(space.log.count, count)
    try insert(1, "changed", second)
    await second.run()
    try insert(2, "mine", first)
    await first.poll()
    expectEqual(first.storage.notes.map(\.title), ["note", "changed", "mine"])
    expectEqual(first.storage.notes.find(by: 0)?.isOpen, true)
    expectEqual(first.storage.notes.find(by: 2)?.isOpen, true)
    await second.poll()
    expectEqual(second.storage.notes.map(\.title), first.storage.notes.map(\.title))
    // A batch of another client keeps the members that the row has here.
    expectEqual(first.storage.notes.find(by: 1)?.isOpen, true)
    expectTrue(second.storage.notes.allSatisfy { !$0.isOpen })
    expectTrue(space.problems.isEmpty)
    // Nothing is left to do, and the confirmed version is the one that the store has.
    let part = await first.worker.part
    expectTrue(part.confirmed.storage.snapshot.isIdentical(to: first.storage.snapshot))
  }

  @Test("A write of one conflicts with no removal, and rejects no other edit of its batch")
  func removed() async throws {
    let space = MemorySpace<Notes>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit { context in
      for id in 0..<4 { context.modifying.notes.insert(Note(id: id, title: "note")) }
    }
    await first.run()
    await second.poll()
    try second.store.edit { context in
      for id in 0..<3 { context.modifying.notes.remove(.init(id)) }
    }
    await second.run()
    try first.store.edit("open") {
      $0.modifying.notes.updateIfExists(id: 0) { $0.isOpen = true }
    }
    try first.store.edit("open and rename") { context in
      context.modifying.notes.updateIfExists(id: 1) { $0.isOpen = true }
      context.modifying.notes.updateIfExists(id: 3) { $0.title = "renamed" }
    }
    try first.store.edit("rename and open") { context in
      context.modifying.notes.updateIfExists(id: 2) {
        $0.title = "lost"
        $0.isOpen = true
      }
    }
    await first.poll()
    // Only the edit of a shared member conflicts.
    expectEqual(first.rejected.map(\.batch.name), ["rename and open"])
    expectEqual(first.storage.notes.map(\.title), ["renamed"])
    await second.poll()
    expectEqual(second.storage, first.storage)
  }

  @Test("A write of one in a row of a rejected batch is dropped with the row")
  func withdrawn() async throws {
    let space = MemorySpace<Notes>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit { $0.modifying.notes.insert(Note(id: 0, title: "note")) }
    await first.run()
    await second.poll()
    try second.store.edit { $0.modifying.notes.insert(Note(id: 1, title: "theirs")) }
    try second.store.edit { $0.modifying.notes.remove(0) }
    await second.run()
    try first.store.edit("rejected") { context in
      context.modifying.notes.insert(Note(id: 2, title: "new"))
      context.modifying.notes.insert(Note(id: 1, title: "mine"))
    }
    try first.store.edit("open") { context in
      context.modifying.notes.updateIfExists(id: 2) { $0.isOpen = true }
      context.modifying.notes.insert(Note(id: 3, title: "kept"))
    }
    await first.poll()
    expectEqual(first.rejected.map(\.batch.name), ["rejected"])
    expectEqual(Set(first.storage.notes.map(\.title)), ["theirs", "kept"])
    await second.poll()
    expectEqual(second.storage, first.storage)
  }

  @Test("A removal conflicts with no write of one that was rejected with its batch")
  func rejectedWrite() async throws {
    let space = MemorySpace<Notes>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit { context in
      for id in 0..<3 { context.modifying.notes.insert(Note(id: id, title: "note")) }
    }
    await first.run()
    await second.poll()
    try second.store.edit { $0.modifying.notes.remove(1) }
    await second.run()
    try first.store.edit("rejected") { context in
      context.modifying.notes.updateIfExists(id: 0) { $0.isOpen = true }
      context.modifying.notes.updateIfExists(id: 1) { $0.title = "mine" }
    }
    try first.store.edit("remove") { $0.modifying.notes.remove(0) }
    await first.poll()
    expectEqual(first.rejected.map(\.batch.name), ["rejected"])
    expectEqual(first.storage.notes.map(\.id), [2])
    await second.poll()
    expectEqual(second.storage, first.storage)
  }

  @Test("A write of one in a row that is moved conflicts with no removal", arguments: [1, 12])
  func moved(batches: Int) async throws {
    let space = MemorySpace<List>()
    let (first, second) = (try ManualClient(space), try ManualClient(space))
    try first.store.edit { context in
      for id in 0..<4 { context.modifying.notes.insert(Note(id: id, title: "note")) }
    }
    await first.run()
    await second.poll()
    try second.store.edit { $0.modifying.notes.remove(0) }
    await second.run()
    for number in 1...batches {
      try first.store.edit("drag") { context in
        context.modifying.notes.updateIfExists(id: 0) { $0.isOpen.toggle() }
        context.modifying.notes.move(0, to: number % 3 + 1)
        context.modifying.notes.updateIfExists(id: 1) { $0.title = "renamed \(number)" }
      }
    }
    await first.poll()
    expectEqual(first.rejected.map(\.batch.name), [])
    expectEqual(first.storage.notes.map(\.title), ["renamed \(batches)", "note", "note"])
    await second.poll()
    expectEqual(second.storage, first.storage)
  }
}
