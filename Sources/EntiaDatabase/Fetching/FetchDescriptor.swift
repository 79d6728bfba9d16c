public import Foundation

/// Which entities to fetch, in what order, and how many.
///
/// ```swift
/// library.fetch(
///   FetchDescriptor<Book>(
///     predicate: #Predicate { $0.year > 1999 },
///     sortBy: [SortDescriptor(\.year, order: .reverse)],
///     fetchLimit: 50))
/// library.fetch(FetchDescriptor<Book> { $0.title.hasPrefix("The ") })
/// ```
///
/// Without a sort, entities come in the order of their table. With one, entities that no descriptor
/// tells apart come in the order of their IDs, or in that of the table when the IDs have no order.
/// A floating-point NaN comes behind every number, and in a reversed sort before every number. An
/// index changes what a fetch costs, never what it gives.
///
/// A row for which a predicate has no value does not match: where it unwraps a `nil` by force, asks
/// for an element that is not there, divides by zero or overflows. Nothing that a row holds makes a
/// fetch fail.
///
/// An expression of a kind that Entia does not know is left to Foundation as a whole, with everything
/// inside of it; `explain` lists it. Foundation stops the process where arithmetic in it overflows or a
/// range has its bounds in the wrong order. Of the kinds that `#Predicate` makes these are, where
/// Foundation has them, predicates and expressions that are evaluated inside of another
/// (`other.evaluate($0)`), and the comparisons `caseInsensitiveCompare`, `localizedCompare` and
/// `localizedStandardContains`. Combine predicates with `&&` and `||` in one `#Predicate` instead.
public struct FetchDescriptor<Entity: EntityType>: Sendable {
  /// What the entities must fulfil, where it was given as a predicate; all do when there is none.
  public var predicate: Predicate<Entity>? {
    didSet { compiled = predicate.map { CompiledPredicate($0) } }
  }
  /// How the entities are sorted: by the first, where that is equal by the second, and so on.
  public var sortBy: [SortDescriptor<Entity>]
  /// How many entities are fetched at most; all, when there is none.
  public var fetchLimit: Int?
  /// How many of the entities are passed over.
  public var fetchOffset: Int?

  /// The predicate, compiled once.
  private(set) var compiled: CompiledPredicate?
  /// What the entities must fulfil, where it was given as a closure.
  @usableFromInline let filter: RowClosure<Entity>?
  /// What entities that are related to them must fulfil.
  var related: [any RelatedCondition<Entity>] = []
  /// The orders by fields of related entities, which decide before `sortBy`.
  var relatedSorts: [any RelatedSort<Entity>] = []
  /// Where a page begins.
  var start: PageStart<Entity>?

  /// Creates a description with a predicate, or of all entities.
  /// - Parameters:
  ///   - predicate: what the entities must fulfil; all do when there is none.
  ///   - sortBy: how they are sorted; in the table's order when empty.
  ///   - fetchLimit: how many are fetched at most.
  ///   - fetchOffset: how many are passed over.
  /// - Complexity: O(*k*) in the size of the predicate, which is compiled here.
  public init(
    predicate: Predicate<Entity>? = nil, sortBy: [SortDescriptor<Entity>] = [],
    fetchLimit: Int? = nil, fetchOffset: Int? = nil
  ) {
    self.predicate = predicate
    compiled = predicate.map { CompiledPredicate($0) }
    self.sortBy = sortBy
    self.fetchLimit = fetchLimit
    self.fetchOffset = fetchOffset
    filter = nil
  }

  /// Creates a description with a closure, which no index can serve.
  /// - Parameters:
  ///   - sortBy: how the entities are sorted; in the table's order when empty.
  ///   - fetchLimit: how many are fetched at most.
  ///   - fetchOffset: how many are passed over.
  ///   - isIncluded: which entities are fetched.
  @inlinable
  public init(
    sortBy: [SortDescriptor<Entity>] = [], fetchLimit: Int? = nil, fetchOffset: Int? = nil,
    where isIncluded: @escaping @Sendable (Entity) -> Bool
  ) {
    self.init(
      filter: RowClosure { isIncluded($0.pointee) }, sortBy: sortBy, fetchLimit: fetchLimit,
      fetchOffset: fetchOffset)
  }

  @usableFromInline
  init(
    filter: RowClosure<Entity>, sortBy: [SortDescriptor<Entity>], fetchLimit: Int?,
    fetchOffset: Int?
  ) {
    self.filter = filter
    self.sortBy = sortBy
    self.fetchLimit = fetchLimit
    self.fetchOffset = fetchOffset
  }
}

extension FetchDescriptor {
  /// This description without its order, which decides which entities are fetched, not how many.
  package var unsorted: Self {
    var result = self
    result.sortBy = []
    result.relatedSorts = []
    return result
  }

  /// The sort of a fetch that asks for nothing else; `nil` when a plan has to be made.
  @usableFromInline
  var plainSort: IndexSort<Entity>? {
    guard !sortBy.isEmpty, relatedSorts.isEmpty, compiled == nil, filter == nil, related.isEmpty,
      start == nil
    else { return nil }
    return IndexSort(self)
  }
}

/// A closure that was given for a predicate, taking a row where it lies.
@frozen
@usableFromInline
struct RowClosure<Entity: EntityType>: Sendable {
  @usableFromInline let accepts: @Sendable (UnsafePointer<Entity>) -> Bool

  @inlinable
  init(_ accepts: @escaping @Sendable (UnsafePointer<Entity>) -> Bool) { self.accepts = accepts }
}

/// Where a page begins.
enum PageStart<Entity: EntityType>: Sendable {
  case beginning
  /// Behind a row, as it was when the page before was read.
  case behind(Entity)
}
