public import Foundation

/// A description of a fetch: which entities to fetch, in which order, and how many.
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
/// Without a sort, entities are in the order of their table. With a sort, entities that compare
/// equal are in the order of their IDs, or in the order of the table when the IDs have no order.
/// A floating-point NaN sorts after every number, and in a reversed sort before every number. An
/// index changes the cost of a fetch, never its result.
///
/// A row for which a predicate has no value does not match. This is the case if the predicate
/// force-unwraps `nil`, reads an element out of bounds, divides by zero or overflows. No content of
/// a row makes a fetch fail.
///
/// Foundation evaluates an expression of a kind that Entia cannot compile, with everything inside
/// of it; `explain` lists it. Foundation stops the process when arithmetic in it overflows or when
/// a range has its bounds in the wrong order. Of the kinds that `#Predicate` creates, Entia cannot
/// compile the following, if Foundation has them: predicates and expressions that are evaluated
/// inside another (`other.evaluate($0)`), and the comparisons `caseInsensitiveCompare`,
/// `localizedCompare` and `localizedStandardContains`. Combine predicates with `&&` and `||` in one
/// `#Predicate` instead.
public struct FetchDescriptor<Entity: EntityType>: Sendable {
  /// The predicate that the entities must satisfy; `nil` to fetch all.
  public var predicate: Predicate<Entity>? {
    didSet { compiled = predicate.map { CompiledPredicate($0) } }
  }
  /// The sort of the entities: the first descriptor decides, then the second for entities that
  /// are equal by the first, and so on.
  public var sortBy: [SortDescriptor<Entity>]
  /// The maximum number of entities to fetch; `nil` for no limit.
  public var fetchLimit: Int?
  /// The number of entities to skip.
  public var fetchOffset: Int?

  /// The predicate, compiled once.
  private(set) var compiled: CompiledPredicate?
  /// The closure that the entities must satisfy, if the descriptor was created with one.
  @usableFromInline let filter: RowClosure<Entity>?
  /// The conditions on related entities.
  var related: [any RelatedCondition<Entity>] = []
  /// The orders by fields of related entities, which decide before `sortBy`.
  var relatedSorts: [any RelatedSort<Entity>] = []
  /// The start of the page.
  var start: PageStart<Entity>?

  /// Creates a descriptor with a predicate, or of all entities.
  /// - Parameters:
  ///   - predicate: The predicate that the entities must satisfy; `nil` to fetch all.
  ///   - sortBy: The sort of the entities; empty for the table's order.
  ///   - fetchLimit: The maximum number of entities to fetch.
  ///   - fetchOffset: The number of entities to skip.
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

  /// Creates a descriptor with a closure, which cannot use an index.
  /// - Parameters:
  ///   - sortBy: The sort of the entities; empty for the table's order.
  ///   - fetchLimit: The maximum number of entities to fetch.
  ///   - fetchOffset: The number of entities to skip.
  ///   - isIncluded: A closure that returns whether to fetch an entity.
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
  /// This descriptor without its sort. It fetches the same number of entities, but perhaps
  /// different ones.
  package var unsorted: Self {
    var result = self
    result.sortBy = []
    result.relatedSorts = []
    return result
  }

  /// The sort of a fetch that has no conditions and that an index may serve directly; `nil` when
  /// the fetch needs a plan.
  @usableFromInline
  var plainSort: IndexSort<Entity>? {
    guard !sortBy.isEmpty, relatedSorts.isEmpty, compiled == nil, filter == nil, related.isEmpty,
      start == nil
    else { return nil }
    return IndexSort(self)
  }
}

/// A filter closure that takes a row by its address, without a copy.
@frozen
@usableFromInline
struct RowClosure<Entity: EntityType>: Sendable {
  @usableFromInline let accepts: @Sendable (UnsafePointer<Entity>) -> Bool

  @inlinable
  init(_ accepts: @escaping @Sendable (UnsafePointer<Entity>) -> Bool) { self.accepts = accepts }
}

/// The start of a page.
enum PageStart<Entity: EntityType>: Sendable {
  case beginning
  /// After a row, as it was when the previous page was read.
  case after(Entity)
}
