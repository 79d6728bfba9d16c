/// The rows of an entity that is related to the one that is fetched, and what they must fulfil.
struct RelatedRows<Contents: StorageContents, Entity: EntityType> {
  private let table: AnyTable<Entity>
  private let predicate: CompiledPredicate
  private let counter: FetchCounter
  /// The rows that an index finds; `nil` when none does.
  let candidates: RowCandidates<Entity>?

  init?(_ snapshot: Snapshot<Contents>, _ predicate: CompiledPredicate, _ counter: FetchCounter) {
    guard let table = snapshot.table(of: Entity.self) else { return nil }
    self.table = table
    self.predicate = predicate
    self.counter = counter
    let search = RowSearch<Contents, Entity>(snapshot.contents, sort: nil)
    candidates = search.best(for: predicate.condition, tableCount: table.count)
  }

  /// Whether there is a row with an ID, and it meets the condition.
  func accepts(_ id: Entity.EntityID) -> Bool {
    guard let found = table.row(of: id) else { return false }
    return accepts(found.row)
  }

  /// Calls the closure with the candidates that meet the condition, until it answers `false`.
  func visit(_ candidates: RowCandidates<Entity>, _ body: (Entity) -> Bool) {
    candidates.visit { id in
      guard let found = table.row(of: id), accepts(found.row) else { return true }
      return body(found.row.assumingMemoryBound(to: Entity.self).pointee)
    }
  }

  /// Guesses how many rows are related to so many of these, out of a number of rows.
  func estimate(_ count: Int, of rows: Int) -> Int {
    guard table.count > 0 else { return 0 }
    let (product, overflow) = rows.multipliedReportingOverflow(by: count)
    return overflow ? rows : min(rows, (product + table.count - 1) / table.count)
  }

  private func accepts(_ row: UnsafeRawPointer) -> Bool {
    counter.work.relatedRowsExamined += 1
    return PredicateFrame.with(slotCount: predicate.slotCount) { frame in
      frame.set(0, to: row)
      return predicate.accepts(frame)
    }
  }
}

extension StorageContents {
  /// The name of a part, or the path's own text when it leads to no part.
  static func name(of path: PartialKeyPath<Self>) -> String {
    var search = PartName<Self>(path: path)
    visitParts(&search)
    return search.name ?? fieldName(path)
  }
}

private struct PartName<Contents: StorageContents>: StorageVisitor {
  let path: PartialKeyPath<Contents>
  var name: String?

  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: any WritableKeyPath<Contents, Relationship> & Sendable
  ) {
    if self.path == path as PartialKeyPath<Contents> { self.name = name }
  }
}
