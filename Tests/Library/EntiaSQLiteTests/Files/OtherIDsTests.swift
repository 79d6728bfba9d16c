import Entia
import EntiaDatabase
import EntiaLaws
import EntiaSharing
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Rows whose ID column has the ID of other rows, because another program has changed their
/// members.
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

  @Test(
    "A save writes the rows of the members, whatever is in the ID column",
    arguments: 1...UInt64(scaled(60)))
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

  @Test(
    "A batch in a shared file writes the rows of the members", arguments: 1...UInt64(scaled(20)))
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

  @Test("The rows of a long chain get their IDs, besides a skipped row at its end")
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
    let copy = folder.file("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    for path in [path, copy] {
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
      try file.close()
    }
    // The order of the changes decides which pages of the file have which rows.
    let bytes = try [path, copy].map { try Data(contentsOf: URL(filePath: $0)) }
    expectTrue(bytes[0] == bytes[1])
  }

  /// Returns the shelf, position and name of each row, in the order of a load.
  private func rawRows(_ file: DatabaseFile<Storeroom>) throws -> [[StoredValue]] {
    try file.withTurn { open in
      let statement = try open.connection.prepare(
        "SELECT shelf, position, name FROM boxes ORDER BY entia_order IS NULL, entia_order, rowid")
      var rows: [[StoredValue]] = []
      while try statement.step() { rows.append((0..<3).map { statement.value(at: $0) }) }
      return rows
    }
  }

  @Test(
    "A save writes the loaded rows and leaves skipped rows as they are",
    arguments: 1...UInt64(scaled(80)))
  func skipped(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var room = Self.storeroom
    for _ in 0..<5 { Self.change(&room, using: &random) }
    let first = try DatabaseFile<Storeroom>(path: path)
    try first.save(room)
    try first.close()
    for step in 0..<4 {
      for _ in 0..<random.number(in: 1..<4) {
        // Several rows may get the same members; a row without a name cannot be decoded.
        let edit =
          switch random.number(in: 0..<5) {
          case 0: "UPDATE boxes SET position=position/2"
          case 1: "UPDATE boxes SET shelf='b' WHERE position=\(random.number(in: 0..<3))"
          case 2: "UPDATE boxes SET name=NULL WHERE position=\(random.number(in: 0..<4))"
          case 3: "INSERT INTO boxes(shelf, position, name) VALUES ('a', 1, 'i')"
          default: Self.edit(using: &random)
          }
        try FileReader<Storeroom>.edit(path, edit)
      }
      let file = try DatabaseFile<Storeroom>(path: path)
      room = try file.load(onBrokenRow: .skip).database
      var expected = try rawRows(file)
      for box in room.boxes where !random.oneIn(3) {
        let isRemoved = random.oneIn(3)
        room.performBatchUpdates {
          if isRemoved {
            $0.modifying.boxes.remove(box.entityID)
          } else {
            $0.modifying.boxes.updateIfExists(id: box.entityID) { $0.name += "!" }
          }
        }
        let members: [StoredValue] = [.text(box.shelf), .integer(Int64(box.position))]
        let index = try #require(
          expected.firstIndex { Array($0.prefix(2)) == members && $0[2] != .null })
        expectEqual(expected[index][2], .text(box.name))
        if isRemoved {
          expected.remove(at: index)
        } else {
          expected[index][2] = .text(box.name + "!")
        }
        if random.oneIn(2) { try file.save(room) }
      }
      try file.save(room)
      for name in ["first", "second"] {
        let box = Storeroom.Box(
          shelf: random.oneIn(2) ? "a" : "b", position: random.number(in: 0..<3), name: name)
        var new = room
        new.performBatchUpdates {
          $0.modifying.boxes.remove(box.entityID)
          $0.modifying.boxes.insert(box)
        }
        let members: [StoredValue] = [.text(box.shelf), .integer(Int64(box.position))]
        let row = members + [.text(name)]
        let index = room.boxes.find(by: box.entityID).flatMap {
          expected.firstIndex(of: members + [.text($0.name)])
        }
        do {
          try file.save(new)
        } catch DatabaseFileError.cannotEncode {
          // A skipped row has the ID.
          continue
        }
        room = new
        if let index { expected[index] = row } else { expected.append(row) }
      }
      // The order of skipped rows among the others may change.
      try expectEqual(Set(rawRows(file)), Set(expected), "step \(step)")
      try expectEqual(rawRows(file).count, expected.count)
      try file.close()
      let again = try DatabaseFile<Storeroom>(
        path: path, configuration: FileReader<Storeroom>.readOnly)
      let reloaded = try names(again.load(onBrokenRow: .skip).database)
      for box in room.boxes { expectEqual(reloaded[box.entityID], box.name, "step \(step)") }
    }
  }

  @Test("A skipped row is listed by the ID of its members, also after it has got another one")
  func listed() throws {
    var room = Storeroom()
    room.performBatchUpdates { batch in
      for position in 0..<2 {
        batch.modifying.boxes.insert(.init(shelf: "a", position: position, name: "\(position)"))
      }
    }
    var file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET name=NULL, position=5 WHERE position=0")
    file = try DatabaseFile<Storeroom>(path: path)
    try expectEqual(
      file.load(onBrokenRow: .skip).skippedRows.map(\.row), [#""{"position":5,"shelf":"a"}""#])
    try file.close()
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=0")
    file = try DatabaseFile<Storeroom>(path: path)
    for _ in 0..<2 {
      let loaded = try file.load(onBrokenRow: .skip)
      expectEqual(
        loaded.skippedRows.map(\.description),
        [
          #"row "{"position":0,"shelf":"a"}" of boxes, column name, cannot be read: "#
            + "it has no value; expected String, found NULL"
        ])
      room = loaded.database
      room.performBatchUpdates {
        $0.modifying.boxes.insert(.init(shelf: "b", position: 0, name: "b"))
      }
      try file.save(room)
    }
    try file.close()
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=NULL WHERE name IS NULL")
    file = try DatabaseFile<Storeroom>(path: path)
    try expectEqual(
      file.load(onBrokenRow: .skip).skippedRows.map(\.row), ["\(Int64.min)"])
  }

  @Test("A batch in a shared file cannot remove a row whose ID a skipped row has")
  func sharedRemoval() async throws {
    var room = Self.storeroom
    room.performBatchUpdates { batch in
      for position in 0..<2 {
        batch.modifying.boxes.insert(.init(shelf: "a", position: position, name: "\(position)"))
      }
    }
    let file = try DatabaseFile<Storeroom>(path: path)
    try file.save(room)
    try file.close()
    try FileReader<Storeroom>.edit(path, "UPDATE boxes SET position=0 WHERE shelf='a'")
    let writer = try FileReader<Storeroom>(
      path, FileReader<Storeroom>.shared, onBrokenRow: .skip)
    let id = Storeroom.Box.EntityID(.init(shelf: "a", position: 0))
    await #expect(throws: SharedDatabaseError.self) {
      try await writer.push { $0.performBatchUpdates { $0.modifying.boxes.remove(id) } }
    }
    try await writer.push {
      $0.performBatchUpdates { $0.modifying.boxes.updateIfExists(id: id) { $0.name = "new" } }
    }
    let follower = try FileReader<Storeroom>(path, onBrokenRow: .skip)
    expectEqual(names(follower.version.storage), names(writer.version.storage))
    expectEqual(follower.version.storage.boxes.find(by: id)?.name, "new")
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
