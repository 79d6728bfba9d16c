import Entia
import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Rows of a file that have one ID in two spellings, of which a load skips one.
@Suite("Rows with one ID in two spellings")
struct SpelledIDsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Of two rows whose IDs are spelled differently, a save writes the one that was loaded",
    arguments: [true, false])
  func spellings(isReadable: Bool) throws {
    var labels = Labels()
    let id = UUID()
    labels.performBatchUpdates { $0.modifying.labels.insert(.init(id: id, name: "upper")) }
    var file = try DatabaseFile<Labels>(path: path)
    try file.save(labels)
    try file.close()
    try FileReader<Labels>.edit(
      path,
      """
      INSERT INTO labels(id, name, entia_order) SELECT lower(id), 'lower', entia_order-1 FROM labels
      """)
    if !isReadable {
      try FileReader<Labels>.edit(path, "UPDATE labels SET name=NULL WHERE name='upper'")
    }
    file = try DatabaseFile<Labels>(path: path)
    let loaded = try file.load(onBrokenRow: .skip)
    expectEqual(loaded.skippedRows.count, 1)
    labels = loaded.database
    expectEqual(labels.labels.map(\.name), ["lower"])
    labels.performBatchUpdates {
      $0.modifying.labels.updateIfExists(id: .init(id)) { $0.name += "!" }
    }
    try file.save(labels)
    try file.withTurn { open in
      let rows = try open.connection.prepare(
        "SELECT id, name FROM labels ORDER BY entia_order IS NULL, entia_order")
      expectTrue(try rows.step())
      expectEqual(rows.text(at: 1), "lower!")
      expectTrue(try rows.step())
      expectEqual(rows.text(at: 0), id.uuidString)
      expectEqual(rows.text(at: 1), isReadable ? "upper" : "")
      expectFalse(try rows.step())
    }
    if isReadable { return }
    let skipped = try file.load(onBrokenRow: .skip).skippedRows
    expectEqual(skipped.map(\.row), ["\"\(id)\""])
    expectEqual(skipped.map(\.column), ["name"])
  }

  @Test(
    "Rows keep their order and members beside skipped rows with their IDs",
    arguments: 1...UInt64(scaled(60)))
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var labels = Labels()
    labels.performBatchUpdates { batch in
      for number in 0..<4 { batch.modifying.labels.append(.init(id: UUID(), name: "\(number)")) }
    }
    var file = try DatabaseFile<Labels>(path: path)
    try file.save(labels)
    for step in 0..<4 {
      try file.close()
      for _ in 0..<random.number(in: 1..<3) {
        let index = random.number(in: 0..<labels.labels.count)
        let name = labels.labels[position: index].name
        let order = ["entia_order+1", "entia_order-1", "NULL"][random.number(in: 0..<3)]
        let edit =
          switch random.number(in: 0..<3) {
          case 0: "UPDATE labels SET entia_order=rowid"
          case 1: "INSERT INTO labels(id, name) VALUES ('\(UUID())', 'n')"
          default:
            """
            INSERT OR IGNORE INTO labels(id, name, entia_order)
            SELECT lower(id), 'low', \(order) FROM labels WHERE name='\(name)' LIMIT 1
            """
          }
        try FileReader<Labels>.edit(path, edit)
      }
      file = try DatabaseFile<Labels>(path: path)
      labels = try file.load(onBrokenRow: .skip).database
      for number in 0..<random.number(in: 1..<6) {
        let index = random.number(in: 0..<labels.labels.count)
        let id = labels.labels[position: index].entityID
        let change = random.number(in: 0..<3)
        let place = random.number(in: 0..<labels.labels.count)
        labels.performBatchUpdates { batch in
          switch change {
          case 0: batch.modifying.labels.updateIfExists(id: id) { $0.name += "!" }
          case 1: batch.modifying.labels.move(id, to: place)
          default:
            batch.modifying.labels.insert(.init(id: UUID(), name: "\(step).\(number)"), at: index)
          }
        }
        if random.oneIn(2) { try file.save(labels) }
      }
      try file.save(labels)
      let read = try DatabaseFile<Labels>(path: path, configuration: FileReader<Labels>.readOnly)
      try expectEqual(
        read.load(onBrokenRow: .skip).database.labels.map(\.name), labels.labels.map(\.name),
        "step \(step)")
    }
  }
}

@NormalizedStorage
private struct Labels {
  @Entity
  struct Label {
    let id: UUID
    var name: String
  }

  @Table var labels: Tables.Ordered<Label> = .init()
}
