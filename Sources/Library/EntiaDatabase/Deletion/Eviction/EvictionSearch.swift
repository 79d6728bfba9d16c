import EntiaCollections
import Foundation

/// Chooses the rows to evict, oldest first.
final class EvictionSearch<Contents: StorageContents> {
  let kept: Reachability<Contents>
  let budget: EvictionBudget
  /// The rows chosen so far, and the rows that the delete rules remove with them.
  let gone: Reachability<Contents>
  /// The size of the database without the rows in `gone`, in the unit of the budget.
  private(set) var size = 0
  /// The removals chosen so far, in an order in which no rule denies one of them.
  private(set) var steps: [EvictionStep] = []
  private var candidates: [any EvictionCandidates<Contents>] = []

  var snapshot: Snapshot<Contents> { kept.snapshot }

  init(kept: Reachability<Contents>, budget: EvictionBudget) {
    self.kept = kept
    self.budget = budget
    gone = Reachability(kept.snapshot, following: .keys)
    var survey = EvictionSurvey(search: self)
    Contents.visitParts(&survey)
    size = survey.size
    candidates = survey.candidates
  }

  func run() {
    while size > budget.limit {
      // If several candidates have the same time, the one whose index was declared first is taken.
      var oldest: (any EvictionCandidates<Contents>)?
      for other in candidates where !other.isEmpty {
        if let chosen = oldest, chosen.time <= other.time { continue }
        oldest = other
      }
      guard let oldest else { return }
      guard let step = oldest.takeFirst(in: self) else { continue }
      steps.append(step)
      size -= step.size
    }
  }
}

/// The rows of one entity type that may be evicted, oldest first.
protocol EvictionCandidates<Contents>: AnyObject {
  associatedtype Contents: StorageContents
  var entity: ObjectIdentifier { get }
  var isEmpty: Bool { get }
  /// The time at which the first row was received; `distantPast` if it is unknown.
  var time: Date { get }

  /// Removes the first row from the candidates.
  /// - Returns: The removal of the row, or `nil` if the row is already in `gone` or cannot be
  ///   removed.
  func takeFirst(in search: EvictionSearch<Contents>) -> EvictionStep?
}

private final class AgedRows<Contents: StorageContents, Ages: AgeIndex>: EvictionCandidates {
  typealias Entity = Ages.Entity

  private var unknown: [Entity.EntityID]
  private let known: AnyIterator<SortedEntry<Date, Entity.EntityID>>
  private var next: SortedEntry<Date, Entity.EntityID>?

  init(_ ages: Ages, unknown: [Entity.EntityID]) {
    self.unknown = unknown.reversed()
    known = ages.oldestFirst()
    next = known.next()
  }

  var entity: ObjectIdentifier { ObjectIdentifier(Entity.self) }
  var isEmpty: Bool { unknown.isEmpty && next == nil }
  var time: Date { unknown.isEmpty ? next?.key ?? .distantFuture : .distantPast }

  func takeFirst(in search: EvictionSearch<Contents>) -> EvictionStep? {
    guard let id = unknown.popLast() ?? next?.id else { return nil }
    if id == next?.id { next = known.next() }
    if search.gone.rows(of: Entity.self).ids.contains(id) { return nil }
    return EvictionRemoval(search: search).step(removing: id)
  }
}

/// Measures the tables, and finds those whose rows may be evicted.
private struct EvictionSurvey<Contents: StorageContents>: StorageVisitor {
  let search: EvictionSearch<Contents>
  var size = 0
  var candidates: [any EvictionCandidates<Contents>] = []

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    size += search.budget.size(of: search.snapshot.contents[keyPath: path])
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    let entity = ObjectIdentifier(Index.Entity.self)
    if let only = search.budget.entity, only != entity { return }
    // Only the first age index of an entity type is used, because a further index would evict the
    // same rows again.
    if candidates.contains(where: { $0.entity == entity }) { return }
    func agedRows<Ages: AgeIndex>(_ ages: Ages) -> (any EvictionCandidates<Contents>)? {
      if ages.count == 0 { return nil }
      var unknown: [Ages.Entity.EntityID] = []
      let table = search.snapshot.table(of: Ages.Entity.self)
      if search.snapshot.withTable(of: Ages.Entity.self, { $0?.count }) != ages.count {
        table?.visitRows { row in
          if ages.receivedAt(row.entityID) == nil { unknown.append(row.entityID) }
        }
      }
      return AgedRows(ages, unknown: unknown)
    }
    guard let ages = search.snapshot.contents[keyPath: path] as? any AgeIndex else { return }
    if let found = agedRows(ages) { candidates.append(found) }
  }
}
