import EntiaCollections
import EntiaDatabase

/// A table, its model, and kept versions of both.
struct TableHistory<Table: VersionedTableUnderTest> {
  typealias Version = (table: Table, model: ModelTable<Table.Entity>)

  var table: Table
  var model = ModelTable<Table.Entity>()
  var kept: [Version] = []
  let domain: [Table.Entity.EntityID]

  init(table: Table, domain: [Table.Entity.EntityID]) {
    self.table = table
    self.domain = domain
  }

  mutating func keep() {
    if kept.count == 5 { kept.removeFirst() }
    kept.append((table, model))
  }

  mutating func goBack(_ random: inout SeededGenerator) {
    guard let version = kept.randomElement(using: &random) else { return }
    (table, model) = version
  }

  mutating func perform(_ operation: TableOperation<Table.Entity>) throws {
    try operation.perform(on: &table, and: &model)
  }

  mutating func performSilently(_ operation: TableOperation<Table.Entity>) {
    switch operation {
    case .insert(let entity):
      table.insert(entity)
      _ = model.insert(entity)
    case .update(let entity):
      table.updateIfExists(id: entity.entityID) { $0 = entity }
      if model.rows[entity.entityID] != nil { _ = model.insert(entity) }
    case .failingUpdate:
      break
    case .remove(let id):
      table.remove(id)
      _ = model.remove(id)
    case .removeAll:
      table.removeAll()
      model = ModelTable()
    }
  }

  func check(_ law: TableLaw, _ random: inout SeededGenerator) throws {
    switch law {
    case .matchesModel: try table.requireEqualToModel(model, domain: domain)
    case .iterationIsInsertionOrder: try table.requireOrder(of: model)
    case .versionsAreFixed:
      for version in kept {
        try version.table.requireEqualToModel(version.model, domain: domain)
        try version.table.requireOrder(of: version.model)
      }
    case .changesLeadToTheNewVersion:
      for version in kept { try checkChanges(from: version) }
    case .equalContentIsEqual:
      try checkEquality(&random)
    }
  }

  private func checkChanges(from old: Version) throws {
    let changes = table.changes(since: old.table)
    var expected = TableChanges<Table.Entity>()
    for entity in model.entities {
      guard let before = old.model.rows[entity.entityID] else {
        expected.inserted.append(entity)
        continue
      }
      if !haveSameValue(before, entity) {
        expected.updated.append(EntityUpdate(old: before, new: entity))
      }
    }
    expected.removed = old.model.entities.filter { model.rows[$0.entityID] == nil }
    try requireEqual(changes.inserted, expected.inserted, "inserted, in order")
    try requireEqual(changes.removed, expected.removed, "removed, in order")
    try require(changes == expected, "updated: \(changes.updated), not \(expected.updated)")
    try requireEqual(changes.isEmpty, table == old.table, "no changes exactly when equal")
    var applied = old.table
    for entity in changes.removed { applied.remove(entity.entityID) }
    for update in changes.updated { applied.insert(update.new) }
    for entity in changes.inserted { applied.insert(entity) }
    try require(applied == table, "the old version with the changes is not the new one")
  }

  private func checkEquality(_ random: inout SeededGenerator) throws {
    for version in kept {
      let isEqual = model.hasSameRows(as: version.model)
      try requireEqual(version.table == table, isEqual, "== with an older version")
      try requireEqual(table == version.table, isEqual, "== from an older version")
    }
    var other = table
    other.removeAll()
    for entity in model.entities.shuffled(using: &random) { other.insert(entity) }
    try require(other == table, "equal content, inserted in another order, is not equal")
    guard let id = model.order.randomElement(using: &random), let entity = model.rows[id]
    else { return }
    other.remove(id)
    try require(other != table, "a table without \(id) equals the one with it")
    other.insert(entity)
    try require(other == table, "\(id) removed and inserted again makes a difference")
  }
}

/// A law of tables with value semantics.
public enum TableLaw: Int, CaseIterable, Sendable, CustomStringConvertible {
  /// A table equals a dictionary after any history.
  case matchesModel = 1
  /// Iteration follows insertion order. This law is checked before the others, whose checks compare
  /// orders.
  case iterationIsInsertionOrder = 6
  /// The contents of a kept version never change.
  case versionsAreFixed = 2
  /// Changes applied to the old version result in the new version, and list only differences.
  case changesLeadToTheNewVersion = 3
  /// Tables with equal content are equal, regardless of their histories and their order.
  case equalContentIsEqual = 5
  /// The statement of the law.
  package var statement: String {
    switch self {
    case .matchesModel: "a table equals a plain dictionary plus an order list"
    case .versionsAreFixed: "a version taken earlier reads the same forever"
    case .changesLeadToTheNewVersion:
      "changes applied to the old version give the new one, and list nothing that did not change"
    case .equalContentIsEqual: "equal content is equal whatever the history, other content is not"
    case .iterationIsInsertionOrder:
      "iteration is insertion order, a replaced entity keeps its place, a re-inserted one goes last"
    }
  }

  /// The number and the statement.
  public var description: String { "Law \(rawValue): \(statement)" }
}
