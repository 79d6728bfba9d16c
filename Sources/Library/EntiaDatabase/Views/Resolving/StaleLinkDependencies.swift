/// Collects the readers of the holders of an entity when a holder began or ceased to reference
/// it.
@frozen
@usableFromInline
struct StaleLinkDependencies<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline let changes: TableChanges<Holder>
  @usableFromInline var index = 0
  @usableFromInline var tokens: [DependencyToken] = []

  @inlinable
  init(
    graph: DependencyGraph<Storage>, new: Snapshot<Contents>, changes: TableChanges<Holder>
  ) {
    self.graph = graph
    self.new = new
    self.changes = changes
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let offset = new.box.layout.relationships[index]
    index &+= 1
    guard Relationship.Holder.self == Holder.self,
      let readers = graph.linkReaders(at: offset, of: Relationship.Target.self)
    else { return }
    let address = UnsafeRawPointer(new.box.address) + offset
    note(readers.takeUnretainedValue(), address.assumingMemoryBound(to: Relationship.self))
  }

  @usableFromInline
  mutating func note<Relationship: RelationshipType>(
    _ readers: DependencyLists<Relationship.Target>, _ relationship: UnsafePointer<Relationship>
  ) {
    func targets(_ holder: Holder) -> [Relationship.Target.EntityID] {
      relationship.pointee.targetIDs(ofAny: holder) ?? []
    }
    for holder in changes.inserted + changes.removed {
      for target in targets(holder) { readers.take(target, into: &tokens) }
    }
    for update in changes.updated {
      let (before, after) = (targets(update.old), targets(update.new))
      if before == after { continue }
      for target in before + after { readers.take(target, into: &tokens) }
    }
  }
}
