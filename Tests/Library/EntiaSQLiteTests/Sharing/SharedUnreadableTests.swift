import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("Rows of a shared file that a program cannot read")
struct SharedUnreadableTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  /// A program that shares the file, or follows it.
  private final class Client<Storage: NormalizedStorageType & Equatable> {
    let file: DatabaseFile<Storage>
    let store: SharedStore<Storage>
    let sharing: DatabaseSharing<Storage>
    private let rejected = Mutex<[String]>([])

    init(_ file: DatabaseFile<Storage>, follows: Bool = false) throws {
      self.file = file
      let loaded = try file.load(onBrokenRow: .skip)
      store = SharedStore(initialState: SharedState(storage: loaded.database))
      sharing =
        follows
        ? try store.follow(\.storage, in: file) : try store.share(\.storage, through: file)
      expectEqual(sharing.skippedRows, loaded.skippedRows)
      let rejected = rejected
      sharing.onRejection { _, error in rejected.withLock { $0.append("\(error)") } }
    }

    var rejections: [String] { rejected.withLock { $0 } }
  }

  private func wait(until condition: () throws -> Bool) async throws {
    for _ in 0..<2_000 {
      if try condition() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("the condition never holds")
  }

  private func file<Storage: NormalizedStorageType>(
    _ configuration: DatabaseFileConfiguration = .init(access: .shared), named name: String? = nil
  ) throws -> DatabaseFile<Storage> {
    guard let name else { return try DatabaseFile(path: path, configuration: configuration) }
    let room = try DatabaseFile<Room>(path: path, configuration: configuration)
    return try DatabaseFile(named: name, in: room)
  }

  @Test("No batch overwrites, moves or orphans a row that was skipped", arguments: [nil, "shelf"])
  func protected(name: String?) async throws {
    let old: DatabaseFile<OldShelf> = try file(.init(), named: name)
    try old.save(OldShelf.sample)
    try old.close()

    let client = try Client<NewShelf>(file(named: name))
    expectEqual(client.sharing.skippedRows.map(\.row), ["1", "\"s\"", "\"t\""])
    expectEqual(client.store.state.storage.boxes.count, 2)
    let edits: [(inout BatchContext<NewShelf>) -> Void] = [
      { $0.modifying.items.insert(NewShelf.Item(id: 1, name: "mine", size: 3)) },
      { $0.modifying.boxes.remove("y") },
      { $0.modifying.tags.append(NewShelf.Tag(id: "u", size: 1)) },
      { $0.modifying.tags.append(NewShelf.Tag(id: "s", size: 1)) },
    ]
    for edit in edits {
      client.store.commit { $0.storage.performBatchUpdates { edit(&$0) } }
      try await client.sharing.saved()
    }
    let label = name.map { "\($0)." } ?? ""
    let space = "\(client.file.path): row"
    let order = """
      \(space) order of tags cannot be stored: this program cannot read row "s" of \(label)tags, \
      and its place among the rows is unknown
      """
    expectEqual(
      client.rejections,
      [
        """
        \(space) 1 of items cannot be stored: this program cannot read row 1 of \(label)items, \
        and it has the same ID
        """,
        """
        \(space) y of boxes cannot be stored: this program cannot read row 1 of \(label)items, \
        and it may reference the removed row
        """,
        order, order,
      ])
    client.store.commit { state in
      state.storage.performBatchUpdates { context in
        context.modifying.items.insert(NewShelf.Item(id: 2, name: "two", size: 2, box: "x"))
        context.modifying.boxes.updateIfExists(id: "x") { $0.name = "X!" }
      }
    }
    try await client.sharing.saved()
    expectEqual(client.rejections.count, 4)
    expectEqual(client.sharing.status, .live)
    try client.file.close()

    let again: DatabaseFile<OldShelf> = try file(.init(), named: name)
    var expected = OldShelf.sample
    expected.performBatchUpdates { context in
      context.modifying.items.insert(OldShelf.Item(id: 2, name: "two", box: "x"))
      context.modifying.boxes.updateIfExists(id: "x") { $0.name = "X!" }
    }
    try expectEqual(again.load(), expected)
  }

  @Test("No batch gives a row a key that a skipped row may have, or a holder more than its limit")
  func rules() async throws {
    let newer = try DatabaseFile<NewSeats>(path: path)
    var seats = NewSeats()
    try seats.performBatchUpdates { context in
      context.modifying.tables.insert([1, 2].map { NewSeats.Table(id: $0) })
      context.modifying.guests.insert([
        NewSeats.Guest(id: 1, kind: .c, email: "e", table: 1),
        NewSeats.Guest(id: 2, kind: .a, email: "f"),
      ])
    }
    try newer.save(seats)
    try newer.close()

    let client = try Client<OldSeats>(file())
    expectEqual(client.sharing.skippedRows.map(\.row), ["1"])
    let edits: [(inout OldSeats.Guest) -> Void] = [
      { $0.email = "e" }, { $0.table = 1 }, { $0.email = nil }, { $0.kind = .b },
    ]
    for edit in edits {
      try client.store.tryCommit { state in
        try state.storage.performBatchUpdates { context in
          context.modifying.guests.updateIfExists(id: 2) { edit(&$0) }
        }
      }
      try await client.sharing.saved()
    }
    let start = "\(client.file.path): row 2 of guests cannot be stored: this program cannot read "
    expectEqual(
      client.rejections,
      [
        start + "row 1 of guests, and it may have the same key of emails",
        start + "row 1 of guests, and it may reference the same row through seats",
      ])
    try client.file.close()
    let again = try DatabaseFile<NewSeats>(path: path).load()
    expectEqual(again.guests.find(by: 2), NewSeats.Guest(id: 2, kind: .b))
    expectEqual(again.guests.find(by: 1)?.email, "e")
  }

  @Test("A row that another program commits ends no sharing and no following")
  func committed() async throws {
    let old = try Client<OldShelf>(file())
    let new = try Client<NewShelf>(file())
    let follower = try Client<NewShelf>(file(.init(isReadOnly: true)), follows: true)
    old.store.commit { $0.storage = OldShelf.sample }
    try await old.sharing.saved()
    for client in [new, follower] {
      try await wait { client.store.state.storage.boxes.count == 2 }
      try await wait { client.sharing.status == .live }
      expectEqual(client.sharing.skippedRows.map(\.table), ["items", "tags", "tags"])
      expectEqual(client.sharing.skippedRows.map(\.column), ["size", "size", "size"])
    }

    // Both go on to share the other rows.
    new.store.commit { state in
      state.storage.performBatchUpdates { context in
        context.modifying.items.insert(NewShelf.Item(id: 2, name: "two", size: 2))
        context.modifying.boxes.updateIfExists(id: "y") { $0.name = "Y!" }
      }
    }
    try await new.sharing.saved()
    expectEqual(new.rejections, [])
    for client in [new, follower] {
      try await wait { client.store.state.storage.items.map(\.id) == [2] }
    }
    try await wait { old.store.state.storage.boxes.find(by: "y")?.name == "Y!" }
    expectEqual(old.store.state.storage.items.count, 2)

    // A batch of the program that cannot read the row meets one that changes it.
    old.store.commit { state in
      state.storage.performBatchUpdates { context in
        context.modifying.items.updateIfExists(id: 1) { $0.name = "one!" }
        context.modifying.tags.remove("s")
      }
    }
    new.store.commit { state in
      state.storage.performBatchUpdates { $0.modifying.items.updateIfExists(id: 2) { $0.size = 3 } }
    }
    try await old.sharing.saved()
    try await new.sharing.saved()
    for client in [new, follower] {
      try await wait { client.sharing.skippedRows.map(\.row) == ["1", "\"t\""] }
      try await wait { client.store.state.storage.items.find(by: 2)?.size == 3 }
    }

    // Without the rows, nothing is skipped any more.
    try await wait { old.sharing.status == .live }
    old.store.commit { state in
      state.storage.performBatchUpdates { context in
        context.modifying.items.remove(1)
        context.modifying.tags.remove("t")
      }
    }
    try await old.sharing.saved()
    for client in [new, follower] { try await wait { client.sharing.skippedRows.isEmpty } }
    new.store.commit { state in
      state.storage.performBatchUpdates { context in
        context.modifying.tags.append(NewShelf.Tag(id: "u", size: 1))
        context.modifying.items.insert(NewShelf.Item(id: 1, name: "new", size: 1))
      }
    }
    try await new.sharing.saved()
    expectEqual(new.rejections, [])
    try await wait { follower.store.state == new.store.state }
    try await wait { old.store.state.storage.tags.map(\.id) == ["u"] }
    let reader: DatabaseFile<NewShelf> = try file(.init(isReadOnly: true))
    try expectEqual(reader.load(), new.store.state.storage)
  }
}
