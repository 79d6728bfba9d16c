import Foundation

/// The plan of a fetch of one version.
struct FetchPlan<Entity: EntityType> {
  let table: AnyTable<Entity>
  let filter: RowFilter<Entity>
  /// The rows to examine; `nil` for all of the table.
  private(set) var candidates: RowCandidates<Entity>?
  /// The order of the result; `nil` for the order of the table.
  let order: RowOrder<Entity>?
  let start: PageStart<Entity>?
  /// The query of a text index that finds the rows.
  let search: PreparedSearch<Entity>?
  let offset: Int
  let limit: Int?
  private(set) var explanation: FetchExplanation
  /// The kinds of expressions that cannot be compiled and are left to Foundation's `evaluate`.
  private(set) var interpreted: [String]
  /// Whether an index, a key or a relationship could find the rows, even if a scan costs less.
  let hasAlternatives: Bool

  /// Whether the rows are found in the order of the result.
  var isInOrder: Bool { candidates?.isInOrder ?? (order == nil) }

  /// The number of matching rows that are needed, including skipped ones.
  var wanted: Int? { limit.map { $0.adding(offset) } }

  init?<Storage: NormalizedStorageType>(
    _ descriptor: FetchDescriptor<Entity>, in storage: Storage, usingIndexes: Bool,
    _ counter: FetchCounter
  ) {
    let snapshot = storage.snapshot
    guard let table = snapshot.table(of: Entity.self) else { return nil }
    self.table = table
    start = descriptor.start
    offset = max(0, descriptor.fetchOffset ?? 0)
    limit = descriptor.fetchLimit.map { max(0, $0) }
    search = descriptor.search.flatMap { $0.prepare(in: storage, after: descriptor.start?.cursor) }
    let relatedSorts = descriptor.relatedSorts.map { $0.comparison(in: storage) }
    let isUnsorted = descriptor.sortBy.isEmpty && relatedSorts.isEmpty
    order =
      isUnsorted && (descriptor.start == nil || search != nil)
      ? nil : RowOrder(descriptor.sortBy, after: relatedSorts.compactMap { $0 })
    var explanation = FetchExplanation(
      entity: Entity.entityName, tableCount: table.count, rowsExamined: table.count)

    var filter = RowFilter<Entity>()
    var options: [RowCandidates<Entity>] = []
    if usingIndexes, search == nil {
      options = RowSearch(snapshot.contents, sort: IndexSort(descriptor))
        .candidates(for: descriptor.compiled?.condition ?? .unknown)
    }
    if let compiled = descriptor.compiled { filter.require(compiled) }
    if let closure = descriptor.filter { filter.require(closure) }
    interpreted = descriptor.compiled?.interpreted ?? []
    explanation.note(interpreted: interpreted)
    if relatedSorts.contains(where: { $0 == nil }) {
      explanation.notes.append("a relationship that is sorted by is not one of this database")
    }
    for related in descriptor.related {
      guard let condition = related.prepare(in: storage, counter) else {
        explanation.notes.append("a relationship that is joined is not one of this database")
        options = [.none]
        // A join that uses this plan may apply only the filter, so the filter must reject all rows,
        // too.
        filter.require { _ in false }
        continue
      }
      filter.require { frame in condition.accepts(frame.address(of: 0)) }
      explanation.note(interpreted: condition.interpreted)
      interpreted += condition.interpreted
      if usingIndexes, let candidates = condition.candidates { options.append(candidates) }
    }
    self.filter = filter
    for number in order?.interpreted ?? [] {
      explanation.notes.append(
        "sort \(number + 1) is left to its own comparison, which is none that an index has")
    }
    self.explanation = explanation
    hasAlternatives = !options.isEmpty || search != nil
    if let search {
      candidates = search.candidates(
        isRanked: isUnsorted, limit: isUnsorted && filter.isEmpty ? wanted : nil)
      explain()
    } else {
      choose(among: options)
    }
  }

  /// Chooses the option with the lowest cost.
  private mutating func choose(among options: [RowCandidates<Entity>]) {
    let fewest = options.map { $0.count }.min() ?? table.count
    var bestCost = cost(of: nil, fewest: fewest)
    for option in options {
      let cost = cost(of: option, fewest: fewest)
      // At equal cost, an index is preferred to a scan. Among indexes of equal cost, an option in
      // the order of the fetch is preferred, and then the option that was declared first.
      let isPreferred = candidates.map { option.isInOrder && !$0.isInOrder } ?? true
      if cost < bestCost || (cost == bestCost && isPreferred) {
        bestCost = cost
        candidates = option
      }
    }
    explain()
  }

  /// Estimates the cost of an option: the number of rows examined, each weighted by the cost of
  /// finding it.
  private func cost(of option: RowCandidates<Entity>?, fewest: Int) -> Int {
    let rows = option?.count ?? table.count
    let isInOrder = option?.isInOrder ?? (order == nil)
    var examined = rows
    if isInOrder, let wanted {
      // The fewer rows match, the more are examined before enough are found. The matches are
      // estimated as the smallest number of rows that an index finds.
      let share = max(1, rows / max(1, fewest)) * (filter.isEmpty ? 1 : 2)
      let (product, overflow) = wanted.multipliedReportingOverflow(by: share)
      examined = overflow ? rows : min(rows, product)
    }
    let finding = option == nil ? examined : examined * FetchCost.lookUp
    guard !isInOrder else { return finding }
    // The matches are estimated as the smallest number of rows that an index finds. A row that is
    // not kept costs one comparison.
    let matches = min(rows, fewest)
    let kept = order == nil ? 0 : min(matches, wanted ?? matches)
    return finding + matches + kept * (Int.bitWidth - kept.leadingZeroBitCount)
  }

  private mutating func explain() {
    if let candidates {
      explanation.indexes = candidates.names
      explanation.access = candidates.access
      explanation.rowsExamined = candidates.count
    }
    if limit == 0 {
      explanation.rowsExamined = 0
    } else if isInOrder, let wanted, wanted < explanation.rowsExamined {
      if filter.isEmpty, start == nil {
        explanation.rowsExamined = wanted
      } else {
        explanation.endsAfter = wanted
      }
    }
    explanation.isSorting = order != nil && !isInOrder && explanation.rowsExamined > 1
    explanation.sortLimit = explanation.isSorting ? wanted : nil
    explanation.isCollecting = order == nil && !isInOrder && explanation.rowsExamined > 1
  }
}

extension FetchExplanation {
  fileprivate mutating func note(interpreted names: [String]) {
    for name in names {
      notes.append("\(name) is left to Predicate.evaluate: it cannot be compiled")
    }
  }
}

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
      // The rows are found only if each choice has an index. Otherwise, the union would lack the
      // rows that satisfy only the choice without an index.
      let unsorted = RowSearch(contents, sort: nil)
      let parts = choices.map { unsorted.fewest(for: $0) }
      let known = parts.compactMap { $0 }
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

extension Int {
  /// Returns the sum of two numbers, or `Int.max` if it is too large. Neither may be negative.
  func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// The costs of the steps of a fetch, relative to examining one row in a scan.
enum FetchCost {
  /// The cost of finding a row by its ID.
  static let lookUp = 3
}
