/// Chooses how the rows of one entity are found.
struct RowSearch<Contents: StorageContents, Entity: EntityType> {
  private let contents: Contents
  private let sort: IndexSort<Entity>?

  init(_ contents: Contents, sort: IndexSort<Entity>?) {
    self.contents = contents
    self.sort = sort
  }

  /// Returns every way in which indexes find the rows that meet a condition.
  func candidates(for condition: RowCondition) -> [RowCandidates<Entity>] {
    let conditions = FieldConditions(condition, slot: 0)
    if conditions.isImpossible { return [.none] }
    var found = IndexSearch(contents, conditions, sort: sort).found
    found += KeySearch<Contents, Entity>(contents, conditions).found
    for choices in conditions.choices {
      // All of them must be found by an index: rows that one of them leaves out would be missing.
      let unsorted = RowSearch(contents, sort: nil)
      let parts = choices.map { unsorted.fewest(for: $0) }
      let known = parts.compactMap(\.self)
      if known.count == parts.count { found.append(.union(known)) }
    }
    return found
  }

  /// Returns the fewest rows that indexes find; `nil` when none does.
  private func fewest(for condition: RowCondition) -> RowCandidates<Entity>? {
    candidates(for: condition).min { $0.count < $1.count }
  }

  /// Returns the fewest rows that indexes find, when looking them up is less than a scan.
  func best(for condition: RowCondition, tableCount: Int) -> RowCandidates<Entity>? {
    fewest(for: condition).flatMap {
      FetchCost.lookUp * $0.count < tableCount || $0.count == 0 ? $0 : nil
    }
  }
}

/// What steps of a fetch cost, by the row that a scan looks at.
enum FetchCost {
  /// To find a row by its ID.
  static let lookUp = 3
}
