import Entia
import EntiaDatabase
import EntiaLaws
import EntiaSharing
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

/// Rows whose ID column has the ID of other rows, because another program has changed their
/// members, or because other members have become the ID.
@Suite("Rows whose members have another ID than their ID column")
struct OtherIDsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  /// Returns the names of the boxes in the file, by ID.
  private func boxes() throws -> [Storeroom.Box.EntityID: String] {
    let file = try DatabaseFile<Storeroom>(
      path: path, configuration: FileReader<Storeroom>.readOnly)
    return try names(file.load())
  }

  private func names(_ room: Storeroom) -> [Storeroom.Box.EntityID: String] {
    Dictionary(uniqueKeysWithValues: room.boxes.map { ($0.entityID, $0.name) })
  }

  private static var storeroom: Storeroom {
    var room = Storeroom()
    room.performBatchUpdates {
      $0.modifying.boxes.insert(.init(shelf: "c", position: 0, name: "c"))
    }
    return room
  }

  private static func change(_ room: inout Storeroom, using random: inout SeededGenerator) {
    room.performBatchUpdates { batch in
      for _ in 0..<random.number(in: 1..<4) {
        let id = Storeroom.Box.EntityID(
          .init(shelf: random.oneIn(2) ? "a" : "b", position: random.number(in: 0..<4)))
        switch random.number(in: 0..<3) {
        case 0: batch.modifying.boxes.remove(id)
        case 1: batch.modifying.boxes.updateIfExists(id: id) { $0.name += "+" }
        default:
          batch.modifying.boxes.insert(
            Storeroom.Box(shelf: id.raw.shelf, position: id.raw.position, name: "new"))
        }
      }
    }
  }

  /// Edits by another program that keep the IDs of the members distinct.
  private static func edit(using random: inout SeededGenerator) -> String {
    switch random.number(in: 0..<4) {
    case 0: "UPDATE boxes SET shelf=CASE shelf WHEN 'a' THEN 'b' WHEN 'b' THEN 'a' ELSE 'c' END"
    case 1: "UPDATE boxes SET position=3-position WHERE shelf<>'c'"
    case 2: "UPDATE boxes SET position=(position+1)%4 WHERE shelf='a'"
    default: "UPDATE boxes SET name=name || '-'"
    }
  }

  @Test("A save writes the rows of the members, whatever is in the ID column", arguments: 1...60)
  func members(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var room = Self.storeroom
    for _ in 0..<4 { Self.change(&room, using: &random) }
    var file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    for step in 0..<6 {
      try file.close()
      for _ in 0..<random.number(in: 0..<3) {
        try FileReader<Storeroom>.edit(path, Self.edit(using: &random))
      }
      file = try DatabaseFile<Storeroom>(path: path)
      room = try file.load()
      for _ in 0..<random.number(in: 1..<4) {
        Self.change(&room, using: &random)
        try file.save(room)
        try expectEqual(boxes(), names(room), "step \(step)")
        try file.expectRowCounts()
      }
    }
  }

  @Test("A batch in a shared file writes the rows of the members", arguments: 1...20)
  func batches(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var room = Self.storeroom
    for _ in 0..<4 { Self.change(&room, using: &random) }
    let file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
    let writer = try FileReader<Storeroom>(path, FileReader<Storeroom>.shared)
    let follower = try FileReader<Storeroom>(path)
    for step in 0..<4 {
      for _ in 0..<random.number(in: 0..<3) {
        try FileReader<Storeroom>.edit(path, Self.edit(using: &random))
      }
      try await writer.look()
      for _ in 0..<2 {
        var copy = random
        try await writer.push {
          copy = random
          Self.change(&$0, using: &copy)
        }
        random = copy
        try expectEqual(boxes(), names(writer.version.storage), "step \(step)")
        try await follower.look()
        expectEqual(names(follower.version.storage), names(writer.version.storage))
      }
    }
  }

  @Test(
    "Another member becomes the ID, with values that are old IDs of other rows", arguments: 1...40)
  func anotherID(seed: UInt64) throws {
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
    let file = try DatabaseFile<ByNumber>(path: path)
    var new = try file.load()
    expectEqual(new.rows.map(\.number), numbers)
    for step in 0..<4 {
      new.performBatchUpdates { batch in
        let id = ByNumber.Row.EntityID(random.number(in: 1..<9))
        switch random.number(in: 0..<4) {
        case 0: batch.modifying.rows.remove(id)
        case 1: batch.modifying.rows.updateIfExists(id: id) { $0.name += "+" }
        case 2 where batch.current.rows.find(by: id) != nil: batch.modifying.rows.move(id, to: 0)
        default: batch.modifying.rows.insert(.init(number: id.raw, name: "new"), at: 0)
        }
      }
      try file.save(new)
      let read = try DatabaseFile<ByNumber>(
        path: path, configuration: FileReader<ByNumber>.readOnly)
      try expectEqual(Array(read.load().rows), Array(new.rows), "step \(step)")
      // The old member keeps its values.
      try file.withTurn { open in
        let ids = try open.connection.prepare("SELECT id, number FROM rows WHERE id IS NOT NULL")
        while try ids.step() {
          expectEqual(numbers[Int(ids.integer(at: 0)) - 1], Int(ids.integer(at: 1)))
        }
      }
    }
  }

  @Test("Rows without an ID are found by their members, and do not hinder a save")
  func withoutID() throws {
    var file = try DatabaseFile<Storeroom>(path: path)
    try file.save(Self.storeroom)
    try file.close()
    try FileReader<Storeroom>.edit(
      path, "INSERT INTO boxes(shelf, position, name) VALUES ('x', 1, 'n'), ('x', 2, 'm')")
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=1 WHERE shelf='c'")
    file = try DatabaseFile<Storeroom>(path: path)
    var room = try file.load()
    expectEqual(room.boxes.count, 3)
    room.performBatchUpdates { batch in
      batch.modifying.boxes.insert(.init(shelf: "c", position: 0, name: "new"))
    }
    try file.save(room)
    try expectEqual(boxes(), names(room))
  }

  @Test("A row that keeps its ID blocks a chain of rows, in linear time")
  func chain() throws {
    let count = 3000
    var room = Storeroom()
    room.performBatchUpdates { batch in
      for position in 0..<count {
        batch.modifying.boxes.insert(.init(shelf: "a", position: position, name: "\(position)"))
      }
    }
    var file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
    try FileReader<Storeroom>.edit(
      path, "UPDATE boxes SET position=position+1 WHERE position<\(count - 1)")
    file = try DatabaseFile<Storeroom>(path: path)
    room = try file.load(onBrokenRow: .skip).database
    expectEqual(room.boxes.count, count - 1)
    room.performBatchUpdates {
      $0.modifying.boxes.insert(.init(shelf: "b", position: 0, name: "b"))
    }
    try file.save(room)
    try file.close()
    file = try DatabaseFile<Storeroom>(path: path)
    let again = try file.load(onBrokenRow: .skip)
    expectTrue(again.skippedRows.count == 1 && again.database.boxes.count == count)
  }

  @Test("If two rows have one ID in their members, the rows that can be loaded are saved")
  func repeated() throws {
    var room = Storeroom()
    room.performBatchUpdates { batch in
      for position in 0..<3 {
        batch.modifying.boxes.insert(.init(shelf: "a", position: position, name: "\(position)"))
      }
    }
    var file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
    // Rows 0 and 1 have position 1; row 2 has position 0.
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=1 WHERE position=0")
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=0 WHERE position=2")
    file = try DatabaseFile<Storeroom>(path: path)
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.skippedRows.count, 1)
    room = loaded.database
    let count = room.boxes.count
    room.performBatchUpdates {
      $0.modifying.boxes.insert(.init(shelf: "b", position: 0, name: "b"))
    }
    try file.save(room)
    try file.close()
    file = try DatabaseFile<Storeroom>(path: path)
    let again = try file.load(onBrokenRow: .skip)
    expectEqual(again.skippedRows.count, 1)
    expectEqual(again.database.boxes.count, count + 1)
  }
}

@NormalizedStorage
private struct Storeroom {
  @Entity(id: "shelf", "position")
  struct Box {
    let shelf: String
    let position: Int
    var name: String
  }

  @Table var boxes: Tables.Hash<Box> = .init()
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
private struct ByNumber {
  @Entity(id: "number")
  struct Row {
    let number: Int
    var name: String
  }

  @Table var rows: Tables.Ordered<Row> = .init()
}
