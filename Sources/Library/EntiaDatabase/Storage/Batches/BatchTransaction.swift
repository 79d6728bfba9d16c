public import EntiaCollections

/// The contents that a batch modifies, in their own memory, and the version before the batch.
@usableFromInline
final class BatchTransaction<Storage: NormalizedStorageType> {
  @usableFromInline let base: Snapshot<Storage.Contents>
  @usableFromInline let contents: UnsafeMutablePointer<Storage.Contents>
  @usableFromInline var problems: [BatchProblem] = []
  @usableFromInline var isOpen = true
  /// The version that has adopted the memory of the contents, or `nil`.
  @usableFromInline var adopter: Snapshot<Storage.Contents>?
  /// The denied removals, by the name of the relationship that denies them.
  // The literal `[:]` is not used, because it would look up the types of its elements for each
  // batch.
  var deniedDeletions = [String: any AnyDeniedDeletions<Storage>]()
  @usableFromInline var hasDenials = false
  /// The record of removals, in a transaction that only computes their effects.
  var record: DeletionRecord? {
    didSet { isRecording = record != nil }
  }
  @usableFromInline var isRecording = false
  /// The IDs that were held while their entities were missing, by the address of the held IDs.
  var earlyIDs = [UnsafeMutableRawPointer: AnyObject]()
  @usableFromInline var hasEarlyIDs = false
  /// The number of denied deletions recorded so far.
  var deniedCount = 0
  /// Whether the batch notes the rows that it writes.
  @usableFromInline let isNoting: Bool
  /// The rows that this batch and earlier batches have written since `notingWrites` was called;
  /// `nil` until this batch notes a row.
  var written: NotedRows?

  // Inlinable, so that the compiler specializes the initializer in a caller where the types are
  // known. Looking up the types at run time would take longer than changing a row.
  @inlinable
  init(_ base: Snapshot<Storage.Contents>) {
    self.base = base
    isNoting = base.box.layout.isNoting
    contents = .allocate(capacity: 1)
    contents.initialize(to: base.contents)
  }

  deinit {
    if adopter != nil { return }
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  /// Updates relationships and indexes after a row was written.
  @inlinable
  @inline(__always)
  func rowChanged<Entity: EntityType>(from old: Entity?, to new: Entity?) {
    if let old, let new { return rowReplaced(old, by: new) }
    var upkeep = RowUpkeep<Storage.Contents, Entity>(contents: contents, old: old, new: new)
    Storage.Contents.visitParts(&upkeep)
    if hasDenials, let old { updateDenials(replacing: old) }
  }

  /// Whether relationships and indexes read an inserted row in the memory of the table, without a
  /// copy of the row. A copy is made only if several relationships or indexes can share the copy.
  @inlinable
  @inline(__always)
  var readsInMemory: Bool { base.box.layout.keys.count < 2 }

  /// Updates the indexes and the `ToMany` relationships after a row was inserted into a table that
  /// was empty.
  @inlinable
  @inline(__always)
  func rowInserted<Entity: EntityType>(_ row: UnsafePointer<Entity>) {
    if readsInMemory {
      var upkeep = InsertionUpkeep<Storage.Contents, Entity>(contents: contents, row: row)
      Storage.Contents.visitParts(&upkeep)
    } else {
      var upkeep = RowUpkeep<Storage.Contents, Entity>(
        contents: contents, old: nil, new: row.pointee, isFilling: true)
      Storage.Contents.visitParts(&upkeep)
    }
  }

  /// Updates the `ToOne` relationships after rows were inserted into a table that was empty.
  @inlinable
  @inline(__always)
  func tableFilled<Entity: EntityType>(_ rows: PersistentTable<EntityTableLayout<Entity>>) {
    var upkeep = FillUpkeep<Storage.Contents, Entity>(contents: contents, rows: rows)
    Storage.Contents.visitParts(&upkeep)
  }

  /// Updates relationships and indexes after a row was replaced by another version of it.
  @inlinable
  @inline(__always)
  func rowReplaced<Entity: EntityType>(_ old: Entity, by new: Entity) {
    withUnsafePointer(to: old) { oldRow in
      withUnsafePointer(to: new) { newRow in
        var upkeep = ReplacementUpkeep<Storage.Contents, Entity>(
          contents: contents, keys: base.box.layout.keys, old: oldRow, new: newRow)
        Storage.Contents.visitParts(&upkeep)
      }
    }
    if hasDenials { updateDenials(replacing: old) }
  }

  /// Ends the batch and returns the new version.
  /// - Parameter isUnique: Whether only this batch can write to the contents. If so, the version
  ///   takes over their memory. Otherwise it gets a copy.
  @inlinable
  func close(isUnique: Bool) -> Snapshot<Storage.Contents> {
    isOpen = false
    guard isUnique, !isNoting, !isUntouched, !base.box.layout.isUnvalidated else {
      return version()
    }
    let version = Snapshot(adopting: contents, after: base)
    adopter = version
    return version
  }

  /// Returns the current version of the batch, or the initial one when nothing was changed.
  @inlinable
  func version() -> Snapshot<Storage.Contents> {
    if isNoting { return notingVersion() }
    if isUntouched { return base }
    if base.box.layout.isUnvalidated { return Snapshot(unchecked: contents.pointee) }
    return Snapshot(unchecked: contents.pointee, after: base)
  }

  /// The changes of the batch so far.
  var changes: StorageChangeSet<Storage> {
    var changes = StorageChangeSet<Storage>(
      from: base.box.address, to: contents, base.box.layout)
    // Applying a change set permits the dangling references that the change set lists. References
    // that a rule denies must not be permitted, and are therefore removed from the list.
    if hasDenials { for denied in deniedDeletions.values { denied.withdraw(from: &changes) } }
    return changes
  }

  /// Whether the rows, the held IDs, and the times and answers of received rows are those of
  /// `base`.
  @inlinable
  var isUntouched: Bool {
    UnsafePointer(contents).hasIdenticalTables(base.box.address, base.box.layout)
      && (!base.box.layout.hasFreshness
        || contents.pointee.hasIdenticalFreshness(base.box.address.pointee))
  }
}

extension BatchTransaction {
  /// Records that rows reference a missing entity, which refuses the batch unless this changes.
  /// - Parameter wasRemoved: Whether the entity was removed, which the relationship denies.
  ///   Otherwise, a merge gave the rows a reference to an entity that does not exist.
  func noteDenial<Relationship: RelationshipType>(
    of target: Relationship.Target.EntityID, heldBy holders: [Relationship.Holder.EntityID],
    by name: String, _ path: PartPath<Storage.Contents, Relationship>, wasRemoved: Bool
  ) {
    let known = deniedDeletions[name] as? DeniedDeletions<Storage, Relationship>
    let noted = known ?? DeniedDeletions(name: name, path: path)
    deniedDeletions[name] = noted
    hasDenials = true
    deniedCount += 1
    noted.add(target, heldBy: holders, wasRemoved: wasRemoved, number: deniedCount)
  }

  /// Updates the denied removals after a row changed. If the row no longer references an entity,
  /// the row no longer denies the removal of the entity.
  ///
  /// A row that begins to reference the entity after the removal does not deny the removal. The key
  /// of the row dangles, as if a second batch had changed the row.
  @usableFromInline
  func updateDenials<Entity: EntityType>(replacing old: Entity) {
    var resolution = DenialResolution(transaction: self, old: old)
    Storage.Contents.visitParts(&resolution)
    hasDenials = !deniedDeletions.isEmpty
  }
}

/// Updates the denied removals after a row changed. If the row no longer references an entity, the
/// row no longer denies the removal of the entity.
private struct DenialResolution<
  Storage: NormalizedStorageType, Entity: EntityType
>: StorageVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let old: Entity

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    typealias Denied = DeniedDeletions<Storage, Relationship>
    guard Relationship.Holder.self == Entity.self,
      let denied = transaction.deniedDeletions[name] as? Denied
    else { return }
    denied.resolve(
      recast(old, as: Relationship.Holder.self), transaction.contents.part(at: path).pointee)
    if denied.isEmpty { transaction.deniedDeletions[name] = nil }
  }
}

// An ID may be held before its row is inserted, because rows and lists are often in one payload, in
// any order. The end of the batch checks whether the entity exists.
extension BatchTransaction {
  /// Records that an ID is held without its entity.
  func noteEarly<IDs: HeldIDs>(_ id: IDs.Entity.EntityID, in part: UnsafeMutablePointer<IDs>) {
    let key = UnsafeMutableRawPointer(part)
    noteWrite(id)
    hasEarlyIDs = true
    // Appended in place, because a batch may hold many IDs before it inserts their rows.
    if let early = earlyIDs[key] as? EarlyIDs<IDs.Entity> { return early.ids.append(id) }
    earlyIDs[key] = EarlyIDs<IDs.Entity>(id)
  }

  /// The IDs that are currently held without their entities, part by part.
  var heldWithoutEntity: [BatchProblem] {
    var search = EarlyIDSearch(transaction: self, dropsMissing: false)
    Storage.Contents.visitParts(&search)
    return search.problems
  }

  /// Removes the IDs that are held without their entities, and reports them as problems.
  @usableFromInline
  func dropEarlyIDs() {
    var search = EarlyIDSearch(transaction: self, dropsMissing: true)
    Storage.Contents.visitParts(&search)
    problems += search.problems
    earlyIDs = [:]
    hasEarlyIDs = false
  }
}

/// The IDs of one part that were held while their entities were missing.
private final class EarlyIDs<Entity: EntityType> {
  var ids: [Entity.EntityID]

  init(_ id: Entity.EntityID) { ids = [id] }
}

/// Finds the IDs that were held while their rows were missing, and whose rows are still missing.
private struct EarlyIDSearch<Storage: NormalizedStorageType>: HeldIDsVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let dropsMissing: Bool
  var problems: [BatchProblem] = []

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    let held = transaction.contents.part(at: path)
    guard
      let early = transaction.earlyIDs[UnsafeMutableRawPointer(held)] as? EarlyIDs<IDs.Entity>
    else { return }
    let rows = transaction.contents.table(of: IDs.Entity.self)
    var seen: Set<IDs.Entity.EntityID> = []
    for id in early.ids where held.pointee.contains(id) && rows?.contains(id) != true {
      guard seen.insert(id).inserted else { continue }
      problems.append(.heldWithoutEntity(EntityLabel(id), part: name))
      if dropsMissing { held.pointee.remove(id) }
    }
  }
}

extension BatchTransaction {
  /// Whether the batch may violate a rule.
  @inlinable
  var needsValidation: Bool {
    hasDenials || base.box.layout.hasLimits || base.box.layout.hasConstraints
      || base.box.layout.isUnvalidated
  }

  /// Checks all rules.
  /// - Throws: `BatchError.refused` with every rule that the batch violates.
  @usableFromInline
  func validate() throws {
    let violations = violations() + constraintViolations() + keptViolations()
    guard violations.isEmpty else { throw BatchError.refused(violations) }
  }

  /// Returns every rule that the batch violates.
  /// - Complexity: O(*k*) expected in the number of removals that a rule may deny; O(changes ·
  ///   log *n*) if a relationship has limits.
  func violations() -> [BatchViolation] {
    let denied = deniedDeletions.values.flatMap { $0.violations(in: self) }
    return denied.sorted { $0.number < $1.number }.map(\.violation) + countViolations()
  }
}

/// The removals that one relationship denies, for code that does not depend on its type.
protocol AnyDeniedDeletions<Storage> {
  associatedtype Storage: NormalizedStorageType
  /// Returns the current violations, each with the number under which it was recorded.
  func violations(in transaction: BatchTransaction<Storage>) -> [(
    number: Int, violation: BatchViolation
  )]
  /// Removes the denied references from `changes.dangling`. A denied reference leads from one of
  /// the `holders` of a denial to the removed entity.
  func withdraw(from changes: inout StorageChangeSet<Storage>)
}

/// The removals that one relationship denies.
final class DeniedDeletions<Storage: NormalizedStorageType, Relationship: RelationshipType>:
  AnyDeniedDeletions
{
  private let name: String
  private let path: PartPath<Storage.Contents, Relationship>
  private var denials: [Relationship.Target.EntityID: Denial] = [:]

  /// The denial of one removal, or of references to one missing entity.
  private struct Denial {
    /// The number under which the denial was first recorded.
    let number: Int
    let wasRemoved: Bool
    /// The rows that have referenced the entity since the denial was recorded.
    var holders: Set<Relationship.Holder.EntityID> = []
  }

  init(
    name: String, path: PartPath<Storage.Contents, Relationship>
  ) {
    self.name = name
    self.path = path
  }

  var isEmpty: Bool { denials.isEmpty }

  /// Returns whether a row has referenced an entity since its removal.
  func hasDenial(
    of target: Relationship.Target.EntityID, by holder: Relationship.Holder.EntityID
  ) -> Bool { denials[target]?.holders.contains(holder) == true }

  func add(
    _ target: Relationship.Target.EntityID, heldBy holders: [Relationship.Holder.EntityID],
    wasRemoved: Bool, number: Int
  ) {
    let denial = Denial(number: number, wasRemoved: wasRemoved)
    denials[target, default: denial].holders.formUnion(holders)
  }

  /// Updates the denied removals after a row changed. If the row no longer references an entity,
  /// the row no longer denies the removal of the entity.
  func resolve(_ old: Relationship.Holder, _ relationship: Relationship) {
    let holder = old.entityID
    for target in relationship.targetIDs(of: old)
    where !relationship.isReferenced(target, by: holder) {
      guard denials[target]?.holders.remove(holder) != nil else { continue }
      if denials[target]?.holders.isEmpty == true { denials[target] = nil }
    }
  }

  func withdraw(from changes: inout StorageChangeSet<Storage>) {
    typealias References = DanglingReferences<Relationship.Holder, Relationship.Target>
    guard var references = changes.dangling[name] as? References else { return }
    references.new = references.new.filter { !hasDenial(of: $0.target, by: $0.holder) }
    changes.dangling[name] = references
  }

  func violations(in transaction: BatchTransaction<Storage>) -> [(
    number: Int, violation: BatchViolation
  )] {
    let table = transaction.contents.table(of: Relationship.Target.self)
    let relationship = transaction.contents.part(at: path)
    return denials.flatMap { target, denial -> [(number: Int, violation: BatchViolation)] in
      if table?.contains(target) == true { return [] }
      let holders = relationship.pointee.holderIDs(of: target).filter(denial.holders.contains)
        .map(EntityLabel.init)
      let label = EntityLabel(target)
      if denial.wasRemoved {
        return [(denial.number, .deniedDelete(label, relationship: name, holders: holders))]
      }
      return holders.map {
        (denial.number, .missingReference($0, relationship: name, target: label))
      }
    }
  }
}
