/// Checks whether a resolved value has read the holders of any relationship of a holder type.
@frozen
@usableFromInline
struct HolderDependencies<Storage: NormalizedStorageType, Holder: EntityType>: StorageVisitor {
  @usableFromInline typealias Contents = Storage.Contents

  @usableFromInline let graph: DependencyGraph<Storage>
  @usableFromInline let new: Snapshot<Contents>
  @usableFromInline var index = 0
  @usableFromInline var result = false

  @inlinable
  init(graph: DependencyGraph<Storage>, new: Snapshot<Contents>) {
    self.graph = graph
    self.new = new
  }

  @inlinable
  @inline(__always)
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    if Relationship.Holder.self == Holder.self,
      graph.linkReaders(
        at: new.box.layout.relationships[index], of: Relationship.Target.self) != nil
    {
      result = true
    }
    index &+= 1
  }
}
