import EntiaCollections
public import EntiaDatabase

/// The laws of one kind of table, checked over random histories with few IDs.
///
/// ```swift
/// let laws = TableLaws(makeTable: { Tables.Hash<Author>() }) { id, random in
///   Author(id: "a\(id)", name: "name \(random.number(in: 0..<3))")
/// }
/// try laws.check()
/// ```
public struct TableLaws<Table: VersionedTableUnderTest> {
  let makeTable: () -> Table
  let makeEntity: (Int, inout SeededGenerator) -> Table.Entity
  let runs: LawRuns

  /// Creates the laws for a table.
  /// - Parameters:
  ///   - runs: The histories.
  ///   - makeTable: Creates an empty table.
  ///   - makeEntity: Creates an entity with random content for a number from 0 to 5. The ID of the
  ///     entity depends only on the number.
  public init(
    runs: LawRuns = LawRuns(), makeTable: @escaping () -> Table,
    makeEntity: @escaping (Int, inout SeededGenerator) -> Table.Entity
  ) {
    self.runs = runs
    self.makeTable = makeTable
    self.makeEntity = makeEntity
  }

  /// Checks one law, or every law. Every history is run twice. The first time, a copy of the table
  /// is kept before some steps. The second time, a copy is kept before every step.
  /// - Parameter law: The law; by default, every law is checked.
  /// - Throws: `LawViolation` for the first law that does not hold, `LawSettingsError` if the
  ///   environment is invalid.
  public func check(_ law: TableLaw? = nil) throws {
    guard let law else { return try TableLaw.allCases.forEach(check) }
    try runs.run(law: law.rawValue, statement: law.statement) { random, step in
      let start = random
      for isShared in [false, true] {
        random = start
        try walk(law, isShared: isShared, &random, &step)
      }
    }
  }

  private func walk(
    _ law: TableLaw, isShared: Bool, _ random: inout SeededGenerator, _ step: inout Int
  ) throws {
    let domain = (0..<6).map { makeEntity($0, &random).entityID }
    var history = TableHistory<Table>(table: makeTable(), domain: domain)
    for index in 0..<runs.steps {
      step = index
      if isShared || random.oneIn(4) { history.keep() }
      // Sometimes an old version is continued, so that histories fork.
      if random.oneIn(10) { history.goBack(&random) }
      let operation = operation(&random)
      if law == .matchesModel {
        try history.perform(operation)
      } else {
        // Only law 1 checks the results that a table returns for a change.
        history.performSilently(operation)
      }
      try history.check(law, &random)
    }
  }

  private func operation(_ random: inout SeededGenerator) -> TableOperation<Table.Entity> {
    let entity = makeEntity(random.number(in: 0..<6), &random)
    return switch random.number(in: 0..<20) {
    case 0..<9: .insert(entity)
    case 9..<12: .update(entity)
    case 12: .failingUpdate(entity)
    case 13..<19: .remove(entity.entityID)
    default: .removeAll
    }
  }
}

extension TableLaws {
  /// Checks law 12 on a table without value semantics, such as the editor of a batch. The reads of
  /// the table must satisfy laws 1 and 6.
  /// - Throws: `LawViolation` if the law does not hold, `LawSettingsError` if the environment is
  ///   invalid.
  package static func checkReads<Other: TableUnderTest>(
    runs: LawRuns = LawRuns(), makeTable: () -> Other,
    makeEntity: (Int, inout SeededGenerator) -> Other.Entity
  ) throws where Table == Tables.Hash<Other.Entity> {
    let statement = "reads inside a batch see its own writes and deletes"
    try runs.run(law: 12, statement: statement) { random, step in
      var table = makeTable()
      var model = ModelTable<Other.Entity>()
      let domain = (0..<6).map { makeEntity($0, &random).entityID }
      for index in 0..<runs.steps {
        step = index
        let entity = makeEntity(random.number(in: 0..<6), &random)
        let operation: TableOperation<Other.Entity> =
          random.oneIn(2) ? .insert(entity) : .remove(entity.entityID)
        try operation.perform(on: &table, and: &model)
        try table.requireEqualToModel(model, domain: domain)
        try table.requireOrder(of: model)
      }
    }
  }
}

/// The requirements for checking the laws of tables. `Tables.Hash`, `Tables.Ordered` and a batch's
/// `TableEditor` conform to this protocol. A custom table can conform too. A test may define a
/// defective table, to check that the laws detect the defect.
public protocol TableUnderTest<Entity> {
  /// The type of the entities in the table.
  associatedtype Entity: EntityType

  /// The number of entities.
  var count: Int { get }
  /// Whether there are no entities.
  var isEmpty: Bool { get }
  /// Returns the entity with an ID, or `nil`.
  func find(by id: Entity.EntityID) -> Entity?
  /// Whether there is an entity with an ID.
  func contains(_ id: Entity.EntityID) -> Bool
  /// Returns all IDs, in insertion order.
  func allIDs() -> [Entity.EntityID]
  /// Returns all entities, in insertion order.
  func allEntities() -> [Entity]
  /// Inserts an entity, or replaces the entity with the same ID in place.
  @discardableResult
  mutating func insert(_ entity: Entity) -> InsertionResult<Entity>
  /// Changes the entity with an ID and returns it, or returns `nil` if there is none.
  @discardableResult
  mutating func updateIfExists(
    id: Entity.EntityID, _ body: (inout Entity) throws -> Void
  ) rethrows -> Entity?
  /// Removes the entity with an ID and returns it, or returns `nil` if there is none.
  @discardableResult
  mutating func remove(_ id: Entity.EntityID) -> Entity?
  /// Removes every entity.
  mutating func removeAll()
}

/// A table with value semantics, whose copies are versions that can be compared.
public protocol VersionedTableUnderTest: TableUnderTest, Equatable {
  /// Returns the differences from an older version.
  func changes(since old: Self) -> TableChanges<Entity>
}

extension Tables.Hash: VersionedTableUnderTest {}
extension Tables.Ordered: TableUnderTest {}
extension TableEditor: TableUnderTest {}

/// The model of a table: a plain dictionary and an order list that the table must equal.
struct ModelTable<Entity: EntityType> {
  private(set) var rows: [Entity.EntityID: Entity] = [:]
  private(set) var order: [Entity.EntityID] = []

  var entities: [Entity] { order.compactMap { rows[$0] } }

  func hasSameRows(as other: Self) -> Bool {
    rows.count == other.rows.count
      && rows.allSatisfy { id, row in haveSameValue(row, other.rows[id]) }
  }

  mutating func insert(_ entity: Entity) -> Entity? {
    let old = rows.updateValue(entity, forKey: entity.entityID)
    if old == nil { order.append(entity.entityID) }
    return old
  }

  mutating func remove(_ id: Entity.EntityID) -> Entity? {
    order.removeAll { $0 == id }
    return rows.removeValue(forKey: id)
  }
}

/// One step of a table's history. It is a value, so that it can be performed twice.
enum TableOperation<Entity: EntityType> {
  case insert(Entity)
  case update(Entity)
  case failingUpdate(Entity)
  case remove(Entity.EntityID)
  case removeAll

  struct Refusal: Error {}

  /// Performs the operation on a table and its model, and compares the results.
  func perform<Table: TableUnderTest>(
    on table: inout Table, and model: inout ModelTable<Entity>
  ) throws where Table.Entity == Entity {
    switch self {
    case .insert(let entity):
      let result = table.insert(entity)
      let old = model.insert(entity)
      try requireEqual(result.entity, entity, "the entity that an insert returns")
      switch result.outcome {
      case .inserted: try require(old == nil, "\(self): said inserted over \(old as Any)")
      case .replaced(let said): try requireEqual(said, old, "\(self): the replaced entity")
      case .unchanged: try requireEqual(old, entity, "\(self): said unchanged over")
      }
    case .update(let entity):
      let id = entity.entityID
      let expected = model.rows[id].map { _ in entity }
      if expected != nil { _ = model.insert(entity) }
      try requireEqual(table.updateIfExists(id: id) { $0 = entity }, expected, "\(self)")
    case .failingUpdate(let entity):
      let id = entity.entityID
      do {
        let result = try table.updateIfExists(id: id) {
          $0 = entity
          throw Refusal()
        }
        try require(result == nil && model.rows[id] == nil, "\(self): swallowed what was thrown")
      } catch is Refusal {}
    case .remove(let id):
      try requireEqual(table.remove(id), model.remove(id), "\(self): the removed entity")
    case .removeAll:
      table.removeAll()
      model = ModelTable()
    }
  }
}

extension TableUnderTest {
  /// Compares the reads of the table with its model, regardless of order.
  func requireEqualToModel(
    _ model: ModelTable<Entity>, domain: [Entity.EntityID]
  ) throws {
    try requireEqual(count, model.order.count, "count")
    try requireEqual(isEmpty, model.order.isEmpty, "isEmpty")
    for id in domain {
      try requireEqual(find(by: id), model.rows[id], "find(by: \(id))")
      try requireEqual(contains(id), model.rows[id] != nil, "contains(\(id))")
    }
    try requireEqual(Set(allIDs()), Set(model.order), "allIDs(), as a set")
  }

  /// Compares the table's order with that of its model.
  func requireOrder(of model: ModelTable<Entity>) throws {
    try requireEqual(allIDs(), model.order, "allIDs()")
    try requireEqual(allEntities(), model.entities, "allEntities()")
  }
}
