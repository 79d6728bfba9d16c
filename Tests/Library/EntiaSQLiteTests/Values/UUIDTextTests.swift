import Entia
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

@Suite("UUIDs as text")
struct UUIDTextTests {
  @Test("A UUID is read from the same texts as by Foundation, in any case")
  func texts() throws {
    var random = SeededGenerator(seed: 1)
    let file = try DatabaseFile<Readings>.inMemory()
    var readings = Readings()
    readings.performBatchUpdates { $0.modifying.readings.insert(.init(id: 0, sensor: UUID())) }
    try file.save(readings)
    var texts = ["", "{\(UUID().uuidString)}", "\(UUID().uuidString) "]
    for _ in 0..<400 {
      var text = Array((random.oneIn(2) ? UUID().uuidString.lowercased() : UUID().uuidString).utf8)
      if random.oneIn(2) {
        text[random.number(in: 0..<36)] = UInt8(random.number(in: 32..<127))
      }
      if random.oneIn(9) { text.swapAt(random.number(in: 0..<36), random.number(in: 0..<36)) }
      texts.append(String(decoding: text, as: UTF8.self))
    }
    let rows = texts.enumerated().map { index, text in
      "(\(index + 1), '\(text.replacingOccurrences(of: "'", with: "''"))')"
    }
    try file.withTurn {
      try $0.connection.edit(
        "INSERT INTO readings(id, sensor) VALUES \(rows.joined(separator: ", "))")
    }
    let loaded = try file.load(onBrokenRow: .skip)
    for (index, text) in texts.enumerated() {
      let reading = loaded.database.readings.find(by: .init(index + 1))
      expectEqual(reading?.sensor, UUID(uuidString: text), "\(text)")
    }
    expectTrue(loaded.skippedRows.count > 100)
    expectTrue(loaded.database.readings.count > 200)
  }
}

@NormalizedStorage
private struct Readings {
  @Entity
  struct Reading {
    let id: Int
    var sensor: UUID
  }

  @Table var readings: Tables.Hash<Reading> = .init()
}
