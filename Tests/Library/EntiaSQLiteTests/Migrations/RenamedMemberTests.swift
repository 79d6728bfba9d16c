import Entia
import EntiaDatabase
import EntiaSharedState
import EntiaSharing
import EntiaStore
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaSQLite

/// Members with old names, in files that programs with either name save.
@Suite("Members whose names have changed")
struct RenamedMemberTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  /// Saves an edit of the file.
  private func edit<Storage: NormalizedStorageType & Equatable>(
    _ edit: (inout BatchContext<Storage>) -> Void
  ) throws {
    let file = try DatabaseFile<Storage>(path: path)
    var storage = try file.load()
    try storage.performBatchUpdates { edit(&$0) }
    try file.save(storage)
    try file.close()
    let again = try DatabaseFile<Storage>(path: path)
    try expectEqual(again.load(), storage)
    try again.close()
  }

  private func newRow() throws -> NewLabels.Label? {
    let file = try DatabaseFile<NewLabels>(path: path, configuration: .init(isReadOnly: true))
    return try file.load().labels.find(by: 1)
  }

  @Test("A saved nil stays nil, whatever an older program has saved under the old name")
  func nils() throws {
    try edit { (batch: inout BatchContext<NewLabels>) in
      batch.modifying.labels.insert(NewLabels.Label(id: 1, alpha: 2, beta: "2", gamma: 2))
    }
    try edit { (batch: inout BatchContext<OldLabels>) in
      batch.modifying.labels.updateIfExists(id: 1) { ($0.a, $0.b, $0.c) = (3, "3", 3) }
    }
    try expectEqual(newRow(), NewLabels.Label(id: 1, alpha: 2, beta: "2", gamma: 2))
    try edit { (batch: inout BatchContext<NewLabels>) in
      batch.modifying.labels.updateIfExists(id: 1) {
        ($0.alpha, $0.beta, $0.gamma) = (nil, nil, nil)
      }
    }
    try expectEqual(newRow(), NewLabels.Label(id: 1, alpha: nil, beta: nil, gamma: nil))
  }

  @Test("The value of an older program is read until the row is saved with the new name")
  func values() throws {
    try edit { (batch: inout BatchContext<OldLabels>) in
      batch.modifying.labels.insert(OldLabels.Label(id: 1, a: 3, b: "3", c: 3))
    }
    try expectEqual(newRow(), NewLabels.Label(id: 1, alpha: 3, beta: "3", gamma: 3))
    try edit { (batch: inout BatchContext<NewLabels>) in
      batch.modifying.labels.updateIfExists(id: 1) { ($0.alpha, $0.beta) = (nil, nil) }
    }
    try edit { (batch: inout BatchContext<OldLabels>) in
      batch.modifying.labels.updateIfExists(id: 1) { ($0.a, $0.b) = (4, "4") }
    }
    try expectEqual(newRow(), NewLabels.Label(id: 1, alpha: nil, beta: nil, gamma: 3))
  }

  @Test(
    "A member that a migration sets to nil is nil, whatever its declaration and old name",
    arguments: [
      [
        Migration.addingMember("alpha", to: "labels", value: Int?.none),
        .addingMember("gamma", to: "labels", value: Int?.none),
      ],
      [
        .transforming("labels", named: "no values") { row in
          var row = row
          row["alpha"] = .null
          try row.set(Int?.none, of: "gamma")
          return row
        }
      ],
    ])
  func migratedNils(migrations: [Migration]) throws {
    try edit { (batch: inout BatchContext<OldLabels>) in
      batch.modifying.labels.insert(OldLabels.Label(id: 1, a: 3, b: "3", c: 3))
    }
    let file = try DatabaseFile<NewLabels>(path: path, migrations: migrations)
    let row = try file.load().labels.find(by: 1)
    expectEqual(row, NewLabels.Label(id: 1, alpha: nil, beta: "3", gamma: nil))
  }

  struct Nested: EntityType, Identifiable, Codable, Equatable {
    let id: Int
    var value: Int??
  }

  @NormalizedStorage
  struct NestedRows: Equatable {
    @Table var rows: Tables.Hash<Nested> = .init()
  }

  @Test("A migration sets an optional that contains nil", arguments: [Int??.none, .some(nil), 1])
  func nestedOptional(value: Int??) throws {
    try edit { (batch: inout BatchContext<NestedRows>) in
      batch.modifying.rows.insert(Nested(id: 1, value: 2))
    }
    let file = try DatabaseFile<NestedRows>(
      path: path,
      migrations: [
        .transforming("rows", named: "values") { row in
          var row = row
          try row.set(value, of: "value")
          return row
        }
      ])
    try expectEqual(file.load().rows.find(by: 1), Nested(id: 1, value: value))
  }

  @Test("A nil in a batch stays nil in the file, and for those that apply the batch")
  func batches() async throws {
    try edit { (batch: inout BatchContext<OldLabels>) in
      batch.modifying.labels.insert([
        OldLabels.Label(id: 1, a: 3, b: "3", c: 3), OldLabels.Label(id: 2, a: 3, b: "3", c: 3),
      ])
    }
    let files = try (0..<2).map { _ in
      try DatabaseFile<NewLabels>(path: path, configuration: .init(access: .shared))
    }
    let stores = try files.map {
      SharedStore<NewLabels>(initialState: SharedState(storage: try $0.load()))
    }
    let sharings = try zip(stores, files).map { try $0.share(\.storage, through: $1) }
    for id in [NewLabels.Label.EntityID(1), 2] {
      stores[0].commit { state in
        state.storage.performBatchUpdates { batch in
          batch.modifying.labels.updateIfExists(id: id) { ($0.alpha, $0.gamma) = (nil, nil) }
        }
      }
      try await sharings[0].saved()
    }
    for _ in 0..<2_000 where stores[1].state != stores[0].state {
      try await Task.sleep(for: .milliseconds(5))
    }
    expectEqual(stores[1].state, stores[0].state)
    try expectEqual(newRow(), NewLabels.Label(id: 1, alpha: nil, beta: "3", gamma: nil))
    for file in files { try file.close() }
  }
}
