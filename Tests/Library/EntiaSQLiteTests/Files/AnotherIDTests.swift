import Entia
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

/// Rows whose ID column has the ID of other rows, because another member has become the ID.
@Suite("Another member becomes the ID")
struct AnotherIDTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Another member becomes the ID, with values that are old IDs of other rows",
    arguments: 1...UInt64(scaled(40)))
  func anotherID(seed: UInt64) throws {
    try becomesID(ByNumber.self, seed: seed) { .init(number: $0, name: $1) }
    try becomesID(KeepingID.self, seed: seed) { .init(old: nil, number: $0, name: $1) }
  }

  private func becomesID<Storage: Numbered>(
    _ type: Storage.Type, seed: UInt64, _ makeRow: (_ number: Int, _ name: String) -> Storage.Row
  ) throws {
    let path = folder.file("\(type)")
    var random = SeededGenerator(seed: seed)
    let count = random.number(in: 1..<7)
    var numbers = Array(1...count)
    for index in numbers.indices.reversed() {
      numbers.swapAt(index, random.number(in: 0..<(index + 1)))
    }
    var old = ByID()
    old.performBatchUpdates { batch in
      for (index, number) in numbers.enumerated() {
        batch.modifying.rows.append(.init(id: index + 1, number: number, name: "n\(number)"))
      }
    }
    let first = try DatabaseFile<ByID>(path: path)
    try first.save(old)
    try first.close()
    let file = try DatabaseFile<Storage>(path: path)
    var new = try file.load()
    expectEqual(new.rows.map(\.entityID.raw), numbers)
    for step in 0..<4 {
      let id = Storage.Row.EntityID(random.number(in: 1..<9))
      let change = random.number(in: 0..<4)
      new.change { rows in
        switch change {
        case 0: rows.remove(id)
        case 1: rows.updateIfExists(id: id) { $0.name += "+" }
        case 2 where rows.contains(id): rows.move(id, to: 0)
        default: rows.insert(makeRow(id.raw, "new"), at: 0)
        }
      }
      try file.save(new)
      let read = try DatabaseFile<Storage>(path: path, configuration: FileReader<Storage>.readOnly)
      try expectEqual(read.load().rows.map(\.name), new.rows.map(\.name), "step \(step)")
      // The old member keeps its values.
      try file.withTurn { open in
        let ids = try open.connection.prepare("SELECT id, number FROM rows WHERE id IS NOT NULL")
        while try ids.step() {
          expectEqual(numbers[Int(ids.integer(at: 0)) - 1], Int(ids.integer(at: 1)))
        }
      }
    }
  }

  @Test("Rows that another program inserts without the column that was the ID are found")
  func withoutOldID() throws {
    let first = try DatabaseFile<ByText>(path: path)
    var texts = ByText()
    texts.performBatchUpdates { $0.modifying.rows.append(.init(id: "x", number: 1, name: "n")) }
    try first.save(texts)
    try first.close()
    try FileReader<ByText>.edit(
      path, "INSERT INTO rows(number, name) VALUES (2, 'n2'), (3, 'n3')")
    let file = try DatabaseFile<ByNumber>(path: path)
    var new = try file.load()
    expectEqual(new.rows.map(\.number), [1, 2, 3])
    new.performBatchUpdates { batch in
      for number in 1...3 {
        batch.modifying.rows.updateIfExists(id: .init(number)) { $0.name += "!" }
      }
    }
    try file.save(new)
    let read = try DatabaseFile<ByNumber>(path: path, configuration: FileReader<ByNumber>.readOnly)
    try expectEqual(Array(read.load().rows), Array(new.rows))
  }
}

/// A storage with a table of rows with numbers as IDs.
private protocol Numbered: NormalizedStorageType {
  associatedtype Row: EntityType & NamedRow where Row.EntityIDRawType == Int
  var rows: Tables.Ordered<Row> { get }

  mutating func change(_ body: (inout TableEditor<Self, Tables.Ordered<Row>>) -> Void)
}

private protocol NamedRow {
  var name: String { get set }
}

@NormalizedStorage
private struct ByID {
  @Entity
  struct Row {
    let id: Int
    var number: Int
    var name: String
  }

  @Table var rows: Tables.Ordered<Row> = .init()
}

@NormalizedStorage
private struct ByNumber: Numbered {
  @Entity(id: "number")
  struct Row: NamedRow {
    let number: Int
    var name: String
  }

  @Table var rows: Tables.Ordered<Row> = .init()

  mutating func change(_ body: (inout TableEditor<Self, Tables.Ordered<Row>>) -> Void) {
    performBatchUpdates { body(&$0.modifying.rows) }
  }
}

/// A storage whose rows keep the member that was the ID.
@NormalizedStorage
private struct KeepingID: Numbered {
  @Entity(id: "number")
  struct Row: NamedRow {
    @Stored("id") let old: Int?
    let number: Int
    var name: String
  }

  @Table var rows: Tables.Ordered<Row> = .init()

  mutating func change(_ body: (inout TableEditor<Self, Tables.Ordered<Row>>) -> Void) {
    performBatchUpdates { body(&$0.modifying.rows) }
  }
}

@NormalizedStorage
private struct ByText {
  @Entity
  struct Row {
    let id: String
    var number: Int
    var name: String
  }

  @Table var rows: Tables.Ordered<Row> = .init()
}
