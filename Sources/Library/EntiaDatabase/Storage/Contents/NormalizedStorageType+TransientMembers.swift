import EntiaCollections

extension NormalizedStorageType {
  /// Replaces each row that is equal in another version by the row of that version, which may have
  /// other transient members.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package mutating func takeTransientMembers(from other: Self) {
    let (mine, theirs) = (snapshot, other.snapshot)
    if mine.isIdentical(to: theirs) { return }
    var copy = TransientMembersCopy(contents: mine.contents, source: theirs.contents)
    Contents.visitParts(&copy)
    if copy.hasCopied { snapshot = Snapshot(unchecked: copy.contents, after: mine) }
  }
}

private struct TransientMembersCopy<Contents: StorageContents>: StorageVisitor {
  var contents: Contents
  let source: Contents
  var hasCopied = false

  mutating func table<Table: TableType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Table> & Sendable
  ) {
    guard Table.Entity.hasTransientMembers else { return }
    let (mine, theirs) = (contents[keyPath: path], source[keyPath: path])
    if mine.isIdentical(to: theirs) { return }
    var equal: [Table.Entity] = []
    func visit(_ row: Table.Entity) {
      guard let own = mine.find(by: row.entityID), haveSameValue(own, row),
        !TransientComparison.areSameInMemory(own, row)
      else { return }
      equal.append(row)
    }
    typealias Row = Table.Entity
    if let mine = mine as? Tables.Hash<Row>, let theirs = theirs as? Tables.Hash<Row> {
      theirs.rows.visitUnshared(with: mine.rows, visit)
    } else if let mine = mine as? Tables.Ordered<Row>, let theirs = theirs as? Tables.Ordered<Row> {
      theirs.rows.visitUnshared(with: mine.rows, visit)
    }
    for row in equal { contents[keyPath: path].replace(row) }
    if !equal.isEmpty { hasCopied = true }
  }
}
