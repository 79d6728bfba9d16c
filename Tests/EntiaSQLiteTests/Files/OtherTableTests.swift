import EntiaDatabase
import EntiaLaws
import Testing

@testable import EntiaSQLite

/// A table type that is not Entia's: sorted by ID.
struct SortedTable<Entity: EntityType>: TableType where Entity.EntityIDRawType: Comparable {
  static var isOrdered: Bool { false }
  private var rows: [Entity] = []

  init() {}

  init(_ entities: some Sequence<Entity>) {
    for entity in entities { insert(entity) }
  }

  var count: Int { rows.count }
  var description: String { "\(rows)" }

  func makeIterator() -> Array<Entity>.Iterator { rows.makeIterator() }
  func find(by id: Entity.EntityID) -> Entity? { rows.first { $0.entityID == id } }
  func find(in ids: some Sequence<Entity.EntityID>) -> [Entity] { ids.compactMap(find(by:)) }
  func contains(_ id: Entity.EntityID) -> Bool { find(by: id) != nil }
  func isIdentical(to other: Self) -> Bool { false }
  func changes(since old: Self) -> TableChanges<Entity> {
    Tables.Hash(rows).changes(since: Tables.Hash(old.rows))
  }

  @discardableResult
  mutating func insert(_ entity: Entity) -> InsertionResult<Entity> {
    let old = remove(entity.entityID)
    let place =
      rows.firstIndex { $0.entityID.raw > entity.entityID.raw } ?? rows.endIndex
    rows.insert(entity, at: place)
    var table = Tables.Hash<Entity>()
    if let old { table.insert(old) }
    return table.insert(entity)
  }

  @discardableResult
  mutating func replace(_ entity: Entity) -> Entity? {
    let old = find(by: entity.entityID)
    if old != nil { insert(entity) }
    return old
  }

  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity? {
    rows.firstIndex { $0.entityID == id }.map { rows.remove(at: $0) }
  }

  mutating func removeAll() { rows = [] }
  mutating func arrange(_ order: TableOrderChanges<Entity>) {}
}

@Suite("Tables of other types")
struct OtherTableTests {
  struct Box: NormalizedStorageType {
    struct Contents: StorageContents {
      var items = SortedTable<Item>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self { visitor.table("items", \.items) }
    }

    var snapshot = Snapshot(Contents())
    var rows: [Item] { Array(snapshot.contents.items) }
  }

  @Test("A table of a type that is not Entia's is saved, too", arguments: LawRuns(count: 10).seeds)
  func saved(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try DatabaseFile<Box>.inMemory()
    var box = try file.load()
    for step in 0..<30 {
      var contents = box.snapshot.contents
      for _ in 0..<3 {
        let id = random.number(in: 0..<8)
        if random.oneIn(3) {
          contents.items.remove(Item.EntityID(id))
        } else {
          contents.items.insert(Item(id: id, name: "\(step)"))
        }
      }
      box = try Box(validating: contents)
      try file.save(box)
      #expect(try file.read().rows == box.rows, "seed \(seed), step \(step)")
    }
    #expect(try file.load().rows == box.rows)
    #expect(!box.rows.isEmpty)
  }
}
