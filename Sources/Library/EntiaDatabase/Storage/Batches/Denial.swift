/// A removal that a rule denies if a holder is left at the end of the batch.
protocol PossibleDenial<Storage> {
  associatedtype Storage: NormalizedStorageType
  func note(in transaction: BatchTransaction<Storage>)
}

struct Denial<
  Storage: NormalizedStorageType, Relationship: RelationshipType
>: PossibleDenial {
  let name: String
  let path: PartPath<Storage.Contents, Relationship>
  let target: Relationship.Target.EntityID

  func note(in transaction: BatchTransaction<Storage>) {
    guard transaction.contents.part(at: path).pointee.isReferenced(target) else { return }
    transaction.noteDenial(of: target, by: name, path)
  }
}
