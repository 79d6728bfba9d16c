import EntiaCoding
public import EntiaCollections
public import EntiaDatabase
public import Foundation

/// The staged entities of one table, including those nested in the place of IDs.
///
/// The code is inlined into the module that has the types, because operations for each entity cost
/// several times as much if types have to be looked up.
@usableFromInline
final class TypedStage<Table: TableType> {
  @usableFromInline typealias Entity = Table.Entity

  /// An entity, and the origin of its first occurrence or last replacement.
  @frozen
  @usableFromInline
  struct Row {
    @usableFromInline var entity: Table.Entity
    @usableFromInline var origin: Origin
    @usableFromInline var isChanged: Bool
    @usableFromInline var isRoot = false
    /// Whether the row was received later than the records that are imported, and is kept.
    @usableFromInline var isNewer = false

    @inlinable
    init(_ entity: consuming Table.Entity, _ origin: Origin, isChanged: Bool) {
      self.entity = entity
      self.origin = origin
      self.isChanged = isChanged
    }
  }

  /// The changed entities, moved out of their rows.
  @frozen
  @usableFromInline
  struct ChangedEntities: Sequence, IteratorProtocol {
    @usableFromInline var rows: TakenElements<Row>

    @inlinable
    init(rows: TakenElements<Row>) { self.rows = rows }

    @inlinable var underestimatedCount: Int { rows.underestimatedCount }

    @inlinable
    @inline(__always)
    mutating func next() -> Table.Entity? {
      while let row = rows.next() {
        // Only the entity needs to be moved out, because the other properties are plain data.
        let isChanged = row.pointee.isChanged
        let entity = withUnsafeMutablePointer(to: &row.pointee.entity) { $0.move() }
        if isChanged { return entity }
      }
      return nil
    }
  }

  /// The name of the table.
  @usableFromInline let name: String
  @usableFromInline let base: Table
  @usableFromInline let isBaseEmpty: Bool
  @usableFromInline let context: TypedImportContext
  @usableFromInline let decoder: EntityDecoder<Table.Entity>
  /// The policy that merges an entity with an existing one; nil if ``ConflictPolicy`` applies.
  @usableFromInline let policy: MergePolicy<Table.Entity>?
  /// The default values of members that records lack.
  @usableFromInline let defaults: [String: any Sendable]
  // Exclusivity is unchecked, because every entity accesses these properties. An import runs on
  // one thread, and its accesses do not overlap.
  @exclusivity(unchecked) @usableFromInline var rows = StagingBuffer<Row>()
  @exclusivity(unchecked) @usableFromInline var index = RowIndex()
  /// The IDs that occur without their entity, each with its first origin.
  @exclusivity(unchecked) @usableFromInline var referenced:
    [(id: Entity.EntityID, origin: Origin)] = []
  @exclusivity(unchecked) @usableFromInline var referencedIndex = RowIndex()
  @usableFromInline let children: ChildTables
  @usableFromInline let repeats = RepeatCache()
  @usableFromInline let roots = RootIDs<Table.Entity.EntityID>()
  /// Returns the time at which a row of the database was received; nil if the import has no time.
  @usableFromInline let times: ((Table.Entity.EntityID) -> Date?)?

  @inlinable
  init(
    _ name: String, _ base: Table, _ context: TypedImportContext,
    _ decoder: EntityDecoder<Table.Entity>, _ times: ((Table.Entity.EntityID) -> Date?)?
  ) {
    self.name = name
    self.times = times
    self.base = base
    isBaseEmpty = base.count == 0
    self.context = context
    self.decoder = decoder
    policy = context.policy(of: Table.Entity.self)
    defaults = context.defaults(of: Table.Entity.self)
    children = ChildTables(name, context)
  }

  // MARK: Reading

  /// Reads the entity at a node, and returns the position of its row.
  @inlinable
  @discardableResult
  func read(_ node: Int, _ run: DecodingRun) throws -> Int {
    let origin = context.beginRecord(node, run)
    let entity: Entity
    do {
      entity = try decode(node, run)
    } catch {
      throw context.report(error, run, table: name, recordAt: node)
    }
    return stage(consume entity, node, run, from: origin)
  }

  @inlinable
  @inline(__always)
  func decode(_ node: Int, _ run: DecodingRun) throws -> Entity {
    if defaults.isEmpty { return try decoder.decode(node, run) }
    let before = run.begin(defaults, at: node)
    defer { run.end(before) }
    return try decoder.decode(node, run)
  }

  /// Reads the entity at a node as a child, whose key refers to the parent that contains it.
  @inlinable
  func readChild(_ node: Int, of parent: ChildParent, _ run: DecodingRun) throws {
    let origin = context.beginRecord(node, run)
    let before = run.begin(parent, at: node)
    defer { run.end(before) }
    parent.beginChild()
    let entity: Entity
    do {
      try run.checkEntity(Entity.self, at: node)
      let child = try decode(node, run)
      entity = parent.isUnsure ? try settle(node, of: parent, run) : child
    } catch {
      throw context.report(error, run, table: name, recordAt: node)
    }
    let text = "\(name) \(entity.entityID.debugText)"
    if let (kind, message) = parent.problem(with: entity, text) {
      throw context.refuse(kind, at: origin, message)
    }
    stage(entity, node, run, from: origin)
  }

  /// Decodes a child again. Only the member that is the key is filled with the parent's ID.
  @usableFromInline
  func settle(_ node: Int, of parent: ChildParent, _ run: DecodingRun) throws -> Entity {
    // The first decoding has already staged and counted the entities in the child.
    try context.withoutCounting {
      try parent.settle(members: { run.namesWithValues(of: node) }) { try decode(node, run) }
    }
  }

  /// Stages the entity that was decoded at a node, and reads its children.
  @inlinable
  @discardableResult
  func stage(
    _ entity: consuming Entity, _ node: Int, _ run: DecodingRun, from origin: Origin
  ) -> Int {
    let place = upsert(entity, from: origin)
    if !run.plainMembers.isEmpty { context.ignorePlainMembers(in: node, table: name, run) }
    if run.hasUndecodedMembers(node) {
      let id = rows[place].entity.entityID
      children.read(node, parent: id, id.debugText, run)
    }
    return place
  }

  /// Reads an entity at the top level.
  @inlinable
  func readRoot(_ node: Int, _ run: DecodingRun) throws {
    let place = try read(node, run)
    if rows[place].isRoot { return }
    rows[place].isRoot = true
    roots.ids.append(rows[place].entity.entityID)
  }

  /// Reads a reference to an entity, which is an ID or the nested entity itself.
  @inlinable
  func readID(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityID {
    try run.checkEntity(Entity.self, at: node)
    let id: Entity.EntityID
    if !run.isObject(node) {
      id = try bareID(node, run)
    } else if let object = Self.hasScalarIDs ? nil : objectID(node, run) {
      id = object
    } else {
      return rows[try readNested(node, run)].entity.entityID
    }
    noteReference(id, node, run)
    return id
  }

  /// Reads an array of references, each of which is an ID or a nested entity. After a nested entity
  /// was refused, reads the others only to report their problems.
  @inlinable
  func readIDs(_ list: Int, _ run: DecodingRun) throws -> [Entity.EntityID] {
    var ids: [Entity.EntityID] = []
    let elements = try run.elements(of: list)
    var (node, end) = (elements.lowerBound, elements.upperBound)
    var refusal: (any Error)?
    while node < end {
      do {
        ids.append(try readID(node, run))
      } catch {
        guard refusal != nil || context.isReported(error) else { throw error }
        refusal = context.report(error, run, table: name, recordAt: node)
      }
      node = run.node(after: node)
    }
    if let refusal { throw refusal }
    return ids
  }

  /// Returns the row index of the entity at a node. Reads the entity if its text is not cached.
  @inlinable
  func readNested(_ node: Int, _ run: DecodingRun) throws -> Int {
    let text = repeats.find(node, run, context)
    if let place = text.place { return place }
    let place = try read(node, run)
    repeats.store(text, node, run, context, place: place)
    return place
  }

  /// Whether the raw type of the IDs is never encoded as an object in JSON.
  @inlinable
  static var hasScalarIDs: Bool {
    let type = Entity.EntityIDRawType.self
    return type == String.self || type == Int.self || type == UUID.self
      || type is any FixedWidthInteger.Type
  }

  /// Returns the ID if the object at a node is an ID; nil for a nested entity. An object is an ID
  /// if it has only members of the ID, and is not a complete entity: a member is missing, or
  /// decoding the entity fails.
  @usableFromInline
  func objectID(_ node: Int, _ run: DecodingRun) -> Entity.EntityID? {
    let id: Entity.EntityID
    do {
      id = Entity.EntityID(try run.raw(Entity.EntityIDRawType.self, node))
    } catch {
      // The object is no ID. The caller reads it as an entity, and reports its problems.
      return nil
    }
    guard run.hasOnlyDecodedMembers(node) else { return nil }
    let missing = run.missingMembers
    do {
      _ = try decode(node, run)
    } catch {
      return id
    }
    return run.missingMembers == missing ? nil : id
  }

  @inlinable
  func bareID(_ node: Int, _ run: DecodingRun) throws -> Entity.EntityID {
    // The specialized code contains only one of these branches.
    if Entity.EntityIDRawType.self == String.self,
      let raw = try run.string(node) as? Entity.EntityIDRawType
    {
      return Entity.EntityID(raw)
    }
    if Entity.EntityIDRawType.self == Int.self,
      let raw = try run.int(node) as? Entity.EntityIDRawType
    {
      return Entity.EntityID(raw)
    }
    return Entity.EntityID(try run.raw(Entity.EntityIDRawType.self, node))
  }

  // MARK: Staging

  /// Returns the position of an ID's row.
  @inlinable
  @inline(__always)
  func place(of id: Entity.EntityID) -> Int? {
    index.find(id.tableHash) { rows[$0].entity.hasID(id) }
  }

  /// Records an ID that occurs without its entity.
  @inlinable
  func noteReference(_ id: Entity.EntityID, _ node: Int, _ run: DecodingRun) {
    let hash = id.tableHash
    guard place(of: id) == nil, referencedIndex.find(hash, { referenced[$0].id == id }) == nil
    else { return }
    referencedIndex.add(hash, referenced.count)
    referenced.append((id, context.origin(of: node, run)))
  }

  /// Stages an entity, or combines it with the existing row of its ID. Returns the row's position.
  @inlinable
  func upsert(_ entity: consuming Entity, from origin: Origin) -> Int {
    let id = entity.entityID
    if let place = place(of: id) {
      upsert(entity, id, from: origin, beside: place)
      return place
    }
    let place = rows.count
    index.add(id.tableHash, place)
    if !isBaseEmpty, let stored = base.find(by: id) {
      rows.append(Row(stored, .database, isChanged: false))
      if let times, let time = times(id) { rows[place].isNewer = context.precedes(time) }
      upsert(entity, id, from: origin, beside: place)
    } else {
      rows.append(Row(entity, origin, isChanged: true))
      context.countInserted()
    }
    return place
  }

  @inlinable
  func upsert(_ entity: Entity, _ id: Entity.EntityID, from origin: Origin, beside place: Int) {
    if rows[place].isNewer { return context.countUnchanged() }
    if let policy { return merge(entity, id, from: origin, beside: place, by: policy) }
    if rows[place].entity == entity || hasSameMembers(entity, beside: place) {
      return context.countUnchanged()
    }
    if context.resolveConflict(
      at: origin, other: rows[place].origin, row: { (name, id.debugText) })
    {
      rows[place].entity = entity
      rows[place].origin = origin
      rows[place].isChanged = true
    }
  }

  /// Whether the import refuses conflicts, and an entity differs from a row only in transient
  /// members. A difference in transient members is no conflict, because records do not have them.
  @usableFromInline
  func hasSameMembers(_ entity: Entity, beside place: Int) -> Bool {
    context.refusesConflicts
      && EntityUpdate(old: rows[place].entity, new: entity).differingMembers.isEmpty
  }

  @usableFromInline
  func merge(
    _ entity: Entity, _ id: Entity.EntityID, from origin: Origin, beside place: Int,
    by policy: MergePolicy<Entity>
  ) {
    let merged = policy.merged(rows[place].entity, with: entity)
    guard merged.entityID == id else {
      return context.problems.add(
        .inconsistency, at: origin,
        "the merge policy of \(name) makes \(merged.entityID.debugText) of \(id.debugText); a merge "
          + "keeps the ID")
    }
    if haveSameValue(rows[place].entity, merged) { return context.countUnchanged() }
    rows[place].entity = merged
    rows[place].origin = origin
    rows[place].isChanged = true
    context.countUpdated()
  }

  // MARK: Ends

  /// Writes the changed entities, in the order in which they were read, and releases all rows.
  @inlinable
  func write<Storage>(to editor: TableEditor<Storage, Table>) {
    var editor = editor
    if let time = context.receptionTime {
      // Unchanged rows were received, too.
      var received: [Entity.EntityID] = []
      received.reserveCapacity(rows.count)
      for place in 0..<rows.count where !rows[place].isNewer {
        received.append(rows[place].entity.entityID)
      }
      insertRows(into: &editor)
      return editor.recordReception(of: received, at: time)
    }
    insertRows(into: &editor)
  }

  @inlinable
  @inline(__always)
  func insertRows<Storage>(into editor: inout TableEditor<Storage, Table>) {
    let changed = ChangedEntities(rows: rows.takeAll())
    if editor.isFillable {
      editor.fill(changed) { _ in }
    } else {
      for entity in changed { editor.insert(entity) }
    }
  }

  /// Reports the references to entities that are neither staged nor in the database.
  @inlinable
  func reportDangling() {
    for (id, origin) in referenced where place(of: id) == nil && !base.contains(id) {
      context.reportDangling(at: origin) { "\(name) \(id.debugText)" }
    }
  }

  /// Adds the origins of the rows with the given labels, except rows of the database.
  @usableFromInline
  func addOrigins(of labels: Set<EntityLabel>, to origins: inout [EntityLabel: Origin]) {
    for place in rows.indices where rows[place].origin.file >= 0 {
      let label = EntityLabel(rows[place].entity.entityID)
      if labels.contains(label) { origins[label] = rows[place].origin }
    }
  }
}
