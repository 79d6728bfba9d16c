/// Finds the ways in which indexes can serve a condition.
struct RowSearch<Contents: StorageContents, Entity: EntityType> {
  private let contents: Contents
  private let sort: IndexSort<Entity>?

  init(_ contents: Contents, sort: IndexSort<Entity>?) {
    self.contents = contents
    self.sort = sort
  }

  /// Returns every way in which indexes find the rows that satisfy a condition.
  func candidates(for condition: RowCondition) -> [RowCandidates<Entity>] {
    let conditions = FieldConditions(condition, slot: 0)
    if conditions.isImpossible { return [.none] }
    var found = IndexSearch(contents, conditions, sort: sort).found
    found += KeySearch<Contents, Entity>(contents, conditions).found
    for choices in conditions.choices {
      // An index must find the rows of every choice: otherwise rows would be missing.
      let unsorted = RowSearch(contents, sort: nil)
      let parts = choices.map { unsorted.fewest(for: $0) }
      let known = parts.compactMap(\.self)
      if known.count == parts.count { found.append(.union(known)) }
    }
    return found
  }

  /// Returns the smallest set of rows that an index finds; `nil` when no index can be used.
  private func fewest(for condition: RowCondition) -> RowCandidates<Entity>? {
    candidates(for: condition).min { $0.count < $1.count }
  }

  /// Returns the smallest set of rows that an index finds, if looking them up costs less than a
  /// scan.
  func best(for condition: RowCondition, tableCount: Int) -> RowCandidates<Entity>? {
    fewest(for: condition).flatMap {
      FetchCost.lookUp * $0.count < tableCount || $0.count == 0 ? $0 : nil
    }
  }
}

/// The costs of the steps of a fetch, relative to examining one row in a scan.
enum FetchCost {
  /// The cost of finding a row by its ID.
  static let lookUp = 3
}
