/// Merges the times and answers of received rows, after the rows have been merged.
struct FreshnessMerge<Storage: NormalizedStorageType>: FreshnessVisitor {
  typealias Contents = Storage.Contents

  let transaction: BatchTransaction<Storage>
  let theirs: Snapshot<Contents>
  let base: Snapshot<Contents>

  mutating func freshness<Index: FreshnessIndex>(
    _ name: String, _ path: PartPath<Contents, Index>
  ) {
    let (theirs, base) = (theirs.contents[keyPath: path], base.contents[keyPath: path])
    if theirs.isIdentical(to: base) { return }
    let rows = transaction.contents.table(of: Index.Entity.self)
    transaction.contents.part(at: path).pointee.merge(theirs, base: base) {
      rows?.contains($0) == true
    }
  }
}

extension NormalizedStorageType {
  /// Merges the difference between the times and answers of another version and those of a common
  /// one.
  /// - Complexity: O(differences · log *n*).
  package mutating func mergeFreshness(of theirs: Self, since base: Self) {
    if theirs.hasIdenticalFreshness(base) { return }
    var context = beginBatchUpdates()
    var merge = FreshnessMerge(
      transaction: context.transaction, theirs: theirs.snapshot, base: base.snapshot)
    Contents.visitParts(&merge)
    snapshot = context.close()
  }
}
