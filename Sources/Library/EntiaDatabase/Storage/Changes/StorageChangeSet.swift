/// The difference between a version of a database and an older one. It has a member for each table,
/// with the table's name.
///
/// ```swift
/// let changes = library.changes(since: before)
/// changes.books.inserted
/// changes.isEmpty
/// ```
@dynamicMemberLookup
public struct StorageChangeSet<Storage: NormalizedStorageType>: Sendable {
  /// The changes of the changed tables, by entity type.
  @usableFromInline var tables: [ObjectIdentifier: any AnyTableChanges] = [:]

  /// The changes of held IDs, by the names of their collections.
  var heldIDs: [String: any AnyTableChanges] = [:]

  /// The references that dangle in one of the versions because of the changed rows, by the names
  /// of their relationships.
  @usableFromInline var dangling: [String: any AnyDanglingReferences] = [:]

  /// Whether any of the changes were decoded. In decoded rows, the transient members have their
  /// declared values.
  @usableFromInline var isDecoded = false

  /// Creates an empty change set.
  @inlinable
  public init() {}

  @inlinable
  init(from old: Snapshot<Storage.Contents>, to new: Snapshot<Storage.Contents>) {
    defer { withExtendedLifetime((old, new)) {} }
    self.init(from: old.box.address, to: new.box.address, old.box.layout)
  }

  /// Creates the changes between contents that the caller keeps alive and unchanged.
  @inlinable
  init(
    from old: UnsafePointer<Storage.Contents>, to new: UnsafePointer<Storage.Contents>,
    _ layout: ContentsLayout
  ) {
    var collector = ChangeCollector<Storage>(
      pairs: TablePairs(old, new, offsets: layout.tables))
    Storage.Contents.visitParts(&collector)
    self = collector.result
    if layout.hasHeldIDs { noteHeldIDs(from: old, to: new) }
    if tables.isEmpty { return }
    var references = DanglingCollector(old, new, layout, tables)
    Storage.Contents.visitParts(&references)
    dangling = references.result
  }

  @usableFromInline
  mutating func noteHeldIDs(
    from old: UnsafePointer<Storage.Contents>, to new: UnsafePointer<Storage.Contents>
  ) {
    var collector = HeldIDsCollector(old: old.pointee, new: new.pointee)
    Storage.Contents.visitParts(&collector)
    heldIDs = collector.changes
  }

  /// The changes of one table.
  public subscript<Table: TableType>(
    dynamicMember path: KeyPath<Storage.Contents, Table>
  ) -> TableChanges<Table.Entity> { knownChanges(of: Table.Entity.self) ?? TableChanges() }

  /// Returns the changes of the table of an entity type, which the database must have.
  public func changes<Entity: EntityType>(of entity: Entity.Type) -> TableChanges<Entity> {
    if let changes = knownChanges(of: entity) { return changes }
    Storage.Contents.requireTable(of: entity)
    return TableChanges()
  }

  private func knownChanges<Entity: EntityType>(of entity: Entity.Type) -> TableChanges<Entity>? {
    tables[ObjectIdentifier(entity)] as? TableChanges<Entity>
  }

  /// Whether no table and no held IDs changed.
  public var isEmpty: Bool { tables.isEmpty && heldIDs.isEmpty }

  /// The number of changed entities in all tables, plus the number of changed held IDs.
  public var count: Int {
    tables.values.reduce(0) { $0 + $1.count } + heldIDs.values.reduce(0) { $0 + $1.count }
  }
}

extension NormalizedStorageType {
  // `changes(since:)` is a requirement of the protocol. Generic code, such as that of a store,
  // thereby calls the method that is specialized for the type of the database.

  /// Returns the difference between this version and an older one.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   databases.
  @inlinable
  public func changes(since old: Self) -> StorageChangeSet<Self> {
    let (before, after) = (old.snapshot, snapshot)
    if after.isIdentical(to: before) { return StorageChangeSet() }
    return StorageChangeSet(from: before, to: after)
  }
}

extension NormalizedStorageType {
  /// A change set that inserts all rows and held IDs of this database.
  /// - Complexity: O(*n*).
  package var allInserted: StorageChangeSet<Self> {
    var collector = AllRowsCollector<Self>(contents: snapshot.contents)
    Contents.visitParts(&collector)
    return collector.result
  }
}

/// Collects all rows and held IDs as inserted ones.
private struct AllRowsCollector<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let contents: Contents
  var result = StorageChangeSet<Storage>()

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    let rows = Array(contents[keyPath: path])
    if rows.isEmpty { return }
    result.tables[ObjectIdentifier(Table.Entity.self)] = TableChanges(inserted: rows)
  }

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let changes = HeldIDsChanges(old: IDs(), new: contents[keyPath: path])
    if !changes.isEmpty { result.heldIDs[name] = changes }
  }
}

/// Collects the differences between the tables of two versions.
@frozen
@usableFromInline
struct ChangeCollector<Storage: NormalizedStorageType>: TablePairVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline var pairs: TablePairs
  @usableFromInline var result = StorageChangeSet<Storage>()

  @inlinable
  init(pairs: TablePairs) { self.pairs = pairs }

  @inlinable
  @inline(__always)
  mutating func visit<Table: TableType>(_ pair: TablePair<Table>) {
    if pair.isSame { return }
    let changes = pair.new.pointee.changes(since: pair.old.pointee)
    if !changes.isEmpty { result.tables[ObjectIdentifier(Table.Entity.self)] = changes }
  }
}

/// Collects the differences between the held IDs (`OrderedID`, `Set`) of two versions.
struct HeldIDsCollector<Contents: StorageContents>: HeldIDsVisitor {
  let old: Contents
  let new: Contents
  var changes: [String: any AnyTableChanges] = [:]

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let (before, after) = (old[keyPath: path], new[keyPath: path])
    if after.isIdentical(to: before) || after == before { return }
    changes[name] = HeldIDsChanges(old: before, new: after)
  }
}

extension StorageChangeSet {
  /// The changes from the newer to the older version.
  /// - Complexity: O(changes).
  public var inverted: Self {
    var result = self
    result.tables = tables.mapValues(\.invertedChanges)
    result.heldIDs = heldIDs.mapValues(\.invertedChanges)
    result.dangling = dangling.mapValues(\.inverted)
    return result
  }

  /// Returns the combination of these changes and later ones.
  ///
  /// If one of them was decoded, rows keep their transient members when the result is applied.
  /// - Parameter later: The later changes. They begin at the version at which these changes end.
  /// - Complexity: O(changes · log changes) expected.
  public func composed(with later: Self) -> Self {
    var result = self
    result.isDecoded = isDecoded || later.isDecoded
    for (entity, changes) in later.tables {
      let composed = tables[entity]?.composed(withAny: changes) ?? changes
      result.tables[entity] = composed.isEmpty ? nil : composed
    }
    for (name, changes) in later.heldIDs {
      let composed = heldIDs[name]?.composed(withAny: changes) ?? changes
      result.heldIDs[name] = composed.isEmpty ? nil : composed
    }
    for (name, references) in later.dangling {
      let composed = dangling[name]?.composed(withAny: references) ?? references
      result.dangling[name] = composed.isEmpty ? nil : composed
    }
    return result
  }
}

extension StorageChangeSet: Equatable {
  /// Whether both contain the same changes of the same entities, and of the held IDs.
  /// - Complexity: O(changes · log changes) expected.
  public static func == (a: Self, b: Self) -> Bool {
    guard a.tables.count == b.tables.count, a.heldIDs.count == b.heldIDs.count else {
      return false
    }
    return a.tables.allSatisfy { entity, changes in
      b.tables[entity].map(changes.isEqual) ?? false
    }
      && a.heldIDs.allSatisfy { name, changes in b.heldIDs[name].map(changes.isEqual) ?? false }
  }
}

// Change sets that are written by hand, such as the expectation of a test.
extension StorageChangeSet {
  /// Returns these changes and the insertion of entities.
  ///
  /// ```swift
  /// #expect(changes == .inserting(post).updating(from: author, to: renamed).removing(comment))
  /// ```
  ///
  /// The changes of a `Tables.Ordered` also contain positions, which this method does not add.
  /// To test such a table, edit a copy of the storage, and expect the changes of that copy.
  /// - Parameter entities: The entities, which the older version does not contain.
  public func inserting<Entity: EntityType>(_ entities: Entity...) -> Self {
    with(TableChanges(inserted: entities))
  }

  /// Returns the insertion of entities.
  /// - Parameter entities: The entities, which the older version does not contain.
  public static func inserting<Entity: EntityType>(_ entities: Entity...) -> Self {
    Self().with(TableChanges(inserted: entities))
  }

  /// Returns these changes and the update of an entity.
  /// - Parameters:
  ///   - old: The entity in the older version.
  ///   - new: The entity in the newer version, with the same ID.
  /// - Precondition: Both entities have the same ID.
  public func updating<Entity: EntityType>(from old: Entity, to new: Entity) -> Self {
    precondition(
      old.entityID == new.entityID,
      "\(EntityLabel(old.entityID)) and \(EntityLabel(new.entityID)) are two entities")
    return with(TableChanges(updated: [EntityUpdate(old: old, new: new)]))
  }

  /// Returns the update of an entity.
  /// - Parameters:
  ///   - old: The entity in the older version.
  ///   - new: The entity in the newer version, with the same ID.
  /// - Precondition: Both entities have the same ID.
  public static func updating<Entity: EntityType>(from old: Entity, to new: Entity) -> Self {
    Self().updating(from: old, to: new)
  }

  /// Returns these changes and the removal of entities.
  /// - Parameter entities: The entities, as they are in the older version.
  public func removing<Entity: EntityType>(_ entities: Entity...) -> Self {
    with(TableChanges(removed: entities))
  }

  /// Returns the removal of entities.
  /// - Parameter entities: The entities, as they are in the older version.
  public static func removing<Entity: EntityType>(_ entities: Entity...) -> Self {
    Self().with(TableChanges(removed: entities))
  }

  /// Returns these changes, with `added` appended to the changes of the table.
  private func with<Entity: EntityType>(_ added: TableChanges<Entity>) -> Self {
    var result = self
    var changes = changes(of: Entity.self)
    changes.inserted += added.inserted
    changes.updated += added.updated
    changes.removed += added.removed
    result.setChanges(changes)
    return result
  }
}

extension StorageChangeSet {
  /// The changes of a collection of held IDs, or `nil` when nothing changed.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: PartPath<Storage.Contents, IDs>
  ) -> HeldIDsChanges<IDs>? {
    var search = HeldIDsSearch<Storage.Contents, IDs>(path: path)
    Storage.Contents.visitParts(&search)
    return search.name.flatMap { heldIDs[$0] as? HeldIDsChanges<IDs> }
  }
}

/// Finds the name of the part at a path.
private struct HeldIDsSearch<Contents: StorageContents, IDs: HeldIDs>: StorageVisitor {
  let path: PartPath<Contents, IDs>
  var name: String?

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    if path as AnyKeyPath == self.path as AnyKeyPath { self.name = name }
  }
}

// The parts of a change set, for modules that store change sets.
extension StorageChangeSet {
  /// Sets the changes of the table of an entity type.
  package mutating func setChanges<Entity>(_ changes: TableChanges<Entity>) {
    tables[ObjectIdentifier(Entity.self)] = changes.isEmpty ? nil : changes
  }

  /// Returns the changes of a collection of held IDs, or `nil` when nothing changed.
  package func heldIDsChanges<IDs: HeldIDs>(
    of part: String, _ type: IDs.Type
  ) -> HeldIDsChanges<IDs>? { heldIDs[part] as? HeldIDsChanges<IDs> }

  /// Sets the changes of a collection of held IDs.
  package mutating func setChanges<IDs>(_ changes: HeldIDsChanges<IDs>, ofHeldIDs part: String) {
    heldIDs[part] = changes.isEmpty ? nil : changes
  }

  /// A holder and the missing entity that it references.
  package typealias MissingReference<Relationship: RelationshipType> = (
    holder: Relationship.Holder.EntityID, target: Relationship.Target.EntityID
  )

  /// Returns the references of a relationship that dangle in one of the versions because of the
  /// changed rows, or `nil` if there are none.
  package func missingReferences<Relationship: RelationshipType>(
    of relationship: String, _ type: Relationship.Type
  ) -> (old: [MissingReference<Relationship>], new: [MissingReference<Relationship>])? {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    guard let references = dangling[relationship] as? References else { return nil }
    return (
      references.old.map { ($0.holder, $0.target) }, references.new.map { ($0.holder, $0.target) }
    )
  }

  /// Sets the references of a relationship that dangle in one of the versions because of the
  /// changed rows.
  package mutating func setMissingReferences<Relationship: RelationshipType>(
    of relationship: String, _ type: Relationship.Type,
    old: [MissingReference<Relationship>], new: [MissingReference<Relationship>]
  ) {
    var references = DanglingReferences<Relationship.Holder, Relationship.Target>()
    for (holder, target) in old { references.old.insert(DanglingReference(holder, target)) }
    for (holder, target) in new { references.new.insert(DanglingReference(holder, target)) }
    dangling[relationship] = references.isEmpty ? nil : references
  }
}

extension HeldIDsChanges {
  /// Creates the difference between two versions of held IDs.
  package init(from old: IDs, to new: IDs) {
    self.init(old: old, new: new)
  }
}

extension NormalizedStorageType {
  /// Returns the entity with an ID, or `nil` when no entity has the ID.
  /// - Complexity: O(1) expected.
  package func row<Entity: EntityType>(of id: EntityIdentifier<Entity>) -> Entity? {
    snapshot.find(id)
  }
}
