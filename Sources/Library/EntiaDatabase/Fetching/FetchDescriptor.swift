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
/// Foundation evaluates the expressions that Entia cannot compile, including their subexpressions.
/// `explain` lists these expressions. Foundation stops the process if arithmetic in such an
/// expression overflows, or if a range has its bounds in the wrong order. In `#Predicate`, Entia
/// cannot compile:
/// - The evaluation of another predicate or expression, such as `other.evaluate($0)`. Combine both
///   predicates with `&&` and `||` in one `#Predicate` instead.
/// - The comparisons `caseInsensitiveCompare` and `localizedCompare`, on platforms where Foundation
///   supports them.
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
  /// The orders by fields of related entities. They have precedence over `sortBy`.
  var relatedSorts: [any RelatedSort<Entity>] = []
  /// The start of the page; `nil` if the fetch is not of a page.
  var start: PageStart<Entity>?
  /// The text query that the entities must match, with its index.
  var search: SearchCondition<Entity>?

  /// Creates a descriptor of the entities that satisfy a predicate, or of all entities.
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

  /// The sort that an index may serve directly, for a fetch without conditions; `nil` when the
  /// fetch needs a plan.
  @usableFromInline
  var plainSort: IndexSort<Entity>? {
    guard !sortBy.isEmpty, relatedSorts.isEmpty, compiled == nil, filter == nil, related.isEmpty,
      start == nil, search == nil
    else { return nil }
    return IndexSort(self)
  }
}

extension FetchDescriptor {
  /// Returns the position after an entity of a page.
  fileprivate func cursor(
    after entity: Entity, in storage: some NormalizedStorageType
  ) -> FetchCursor<Entity> {
    let isRanked = sortBy.isEmpty && relatedSorts.isEmpty
    let search = isRanked ? search : nil
    return FetchCursor(
      after: entity, at: search?.place(of: entity, in: storage, after: start?.cursor?.place))
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
  case after(FetchCursor<Entity>)

  /// The cursor after which the page begins; `nil` for the first page.
  var cursor: FetchCursor<Entity>? {
    if case .after(let cursor) = self { cursor } else { nil }
  }
}

/// A position in the result of a fetch, after an entity: the start of the next page.
///
/// The cursor contains the value of the entity at that time, so that the position is stable when
/// the entity is changed or removed.
public struct FetchCursor<Entity: EntityType>: Hashable, Sendable {
  /// The last entity of the previous page, as it was when the page was read.
  public let entity: Entity
  /// The place of the entity in the ranking of a search; `nil` if the fetch has another order.
  let place: SearchPlace<Entity>?

  /// Creates a position after an entity.
  public init(after entity: Entity) { self.init(after: entity, at: nil) }

  init(after entity: Entity, at place: SearchPlace<Entity>?) {
    self.entity = entity
    self.place = place
  }

  /// Feeds the entity's ID into the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(entity.entityID) }
}

/// A part of the result of a fetch, and the start of the next part.
public struct FetchPage<Entity: EntityType>: Equatable, Sendable {
  /// The entities of the page, in order.
  public let entities: [Entity]
  /// The start of the next page, or `nil` when this is the last one.
  public let next: FetchCursor<Entity>?
}

extension NormalizedStorageType {
  /// Returns one page of the entities that a fetch descriptor selects: at most `fetchLimit`
  /// entities after a cursor.
  ///
  /// ```swift
  /// let first = library.fetchPage(descriptor)
  /// let second = library.fetchPage(descriptor, after: first.next)
  /// ```
  ///
  /// Insertions and removals between pages cause neither overlaps nor gaps, because each page
  /// begins after the cursor in the order of the fetch. Without a sort, that is the order of the
  /// IDs, not of the table. If IDs have no order and the entity of the cursor has been removed,
  /// entities that compare equal to it may be returned twice.
  ///
  /// A search without a sort ranks all pages by the statistics of the first one, so that no change
  /// of other rows moves a row to another page. An entity that is removed and inserted again
  /// follows the entities with the same score. After the entity of the cursor has been removed and
  /// the database has been loaded again, entities with the score of the removed one may be skipped.
  /// - Parameters:
  ///   - descriptor: The entities to fetch; its `fetchOffset` counts from the cursor.
  ///   - cursor: The start of the page; `nil` for the first page.
  /// - Complexity: O(page · log *n*) when an index serves the order and the predicate, otherwise
  ///   that of `fetch`.
  public func fetchPage<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>? = nil
  ) -> FetchPage<Entity> { page(descriptor, after: cursor) { fetch($0) } }

  /// Returns the same page as `fetchPage`, without using indexes.
  package func scanPage<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>?
  ) -> FetchPage<Entity> { page(descriptor, after: cursor) { scan($0) } }

  private func page<Entity: EntityType>(
    _ descriptor: FetchDescriptor<Entity>, after cursor: FetchCursor<Entity>?,
    _ fetch: (FetchDescriptor<Entity>) -> [Entity]
  ) -> FetchPage<Entity> {
    var descriptor = descriptor
    descriptor.start = cursor.map { .after($0) } ?? .beginning
    let limit = max(0, descriptor.fetchLimit ?? .max)
    // One entity more than the limit is fetched. If it exists, another page follows.
    if limit < .max { descriptor.fetchLimit = limit + 1 }
    var entities = fetch(descriptor)
    guard entities.count > limit else { return FetchPage(entities: entities, next: nil) }
    entities.removeLast()
    return FetchPage(
      entities: entities,
      next: entities.last.map { descriptor.cursor(after: $0, in: self) } ?? cursor)
  }
}

extension FetchDescriptor {
  /// A hashable definition of the fetch, by which descriptors are compared. It is `nil` if the
  /// fetch has a part that cannot be compared, such as a closure.
  ///
  /// Equal definitions imply equal results. Descriptors with the same meaning in different forms
  /// may have different definitions.
  ///
  /// - Complexity: O(*k*) in the size of the predicate, by reflection.
  package var definition: (any Hashable & Sendable)? {
    guard filter == nil, related.isEmpty, relatedSorts.isEmpty, start == nil else { return nil }
    var parts: [AnyHashable] = []
    if let predicate {
      var definition = ExpressionDefinition()
      definition.add(predicate.expression)
      guard definition.isKnown else { return nil }
      parts = definition.parts
    }
    return FetchDefinition(
      parts: parts, search: search?.definition, sortBy: sortBy, fetchLimit: fetchLimit,
      fetchOffset: fetchOffset)
  }
}

/// The definition of a fetch.
///
/// `Sendable` is unchecked because `AnyHashable` is not `Sendable`. The stored values are types,
/// key paths, and values of the standard library and Foundation. They are never changed.
private struct FetchDefinition<Entity: EntityType>: Hashable, @unchecked Sendable {
  let parts: [AnyHashable]
  let search: [AnyHashable]?
  let sortBy: [SortDescriptor<Entity>]
  let fetchLimit: Int?
  let fetchOffset: Int?
}

/// The types, key paths and values that make up the expression of a predicate.
///
/// Values are compared by their structure, because the `==` of a user's type may ignore a property
/// that the predicate reads.
private struct ExpressionDefinition {
  private(set) var parts: [AnyHashable] = []
  /// Whether every part of the expression can be compared.
  private(set) var isKnown = true
  /// The number of each variable, in order of first appearance, so that equal predicates number
  /// their variables alike.
  private var variables: [PredicateExpressions.VariableID: Int] = [:]

  mutating func add(_ value: Any) {
    parts.append(ObjectIdentifier(type(of: value)))
    if let variable = value as? any AnyPredicateVariable {
      let number = variables[variable.key] ?? variables.count
      variables[variable.key] = number
      return parts.append(number)
    }
    if let atom = Self.atom(value) { return parts.append(atom) }
    if value is any CustomReflectable, !(value is any Collection), !(value is any AnyOptional) {
      isKnown = false
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple: addChildren(of: mirror)
    case .optional: addChildren(of: mirror)
    case .collection:
      parts.append(mirror.children.count)
      addChildren(of: mirror)
    case .enum where mirror.children.isEmpty: addCase(value)
    default: isKnown = false
    }
  }

  private mutating func addChildren(of mirror: Mirror) {
    parts.append(mirror.children.count)
    for child in mirror.children {
      if !isKnown { return }
      add(child.value)
    }
  }

  /// Adds an enumeration case without a payload, by its raw value. A case without a raw value is
  /// added itself if Foundation declares the enumeration. Other cases cannot be compared, because
  /// the `==` of a user's type may ignore differences.
  private mutating func addCase(_ value: Any) {
    if let raw = value as? any RawRepresentable {
      add(raw.rawValue)
    } else if let constant = value as? any Hashable,
      String(reflecting: type(of: value)).hasPrefix("Foundation")
    {
      parts.append(AnyHashable(constant))
    } else {
      isKnown = false
    }
  }

  /// Returns the hashable form of a value that is compared as a whole, or `nil` for other types.
  private static func atom(_ value: Any) -> AnyHashable? {
    switch value {
    case let path as AnyKeyPath: path
    case let number as any BinaryInteger: AnyHashable(number)
    case let number as Double: number.bitPattern
    case let number as Float: number.bitPattern
    case let truth as Bool: truth
    case let text as String: Array(text.utf8)
    case let text as Substring: Array(text.utf8)
    case let character as Character: Array(character.utf8)
    case let date as Date: date.timeIntervalSinceReferenceDate.bitPattern
    case let id as UUID: id
    case let number as Decimal: number
    case let data as Data: data
    case let url as URL: url.absoluteString
    default: nil
    }
  }
}

/// A variable of a predicate, of any type. The keys of variables differ between predicates.
protocol AnyPredicateVariable {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: AnyPredicateVariable {}
