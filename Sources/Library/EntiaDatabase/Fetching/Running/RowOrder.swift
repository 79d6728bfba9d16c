import EntiaCollections
import Foundation

/// A comparison of two rows at their addresses. The result is negative if the first row precedes,
/// positive if the second row precedes, and 0 otherwise.
typealias RowComparison = (UnsafeRawPointer, UnsafeRawPointer) -> Int

/// The order of a fetch, compiled once.
struct RowOrder<Entity: EntityType> {
  /// Compares by the keys and then by ID. The result is 0 for rows that differ only in their places
  /// in the table.
  let compare: RowComparison
  /// Compares by ID, for rows with equal keys; `nil` if IDs have no order.
  let tie: RowComparison?
  /// The positions of the sort descriptors that could not be compiled.
  let interpreted: [Int]

  /// Creates an order.
  /// - Parameters:
  ///   - sortBy: The sort by the rows' own fields.
  ///   - first: The comparisons that have precedence over `sortBy`.
  init(_ sortBy: [SortDescriptor<Entity>], after first: [RowComparison] = []) {
    interpreted = sortBy.indices.filter { sortBy[$0].compiled == nil }
    let keys = first + sortBy.map { $0.rowComparison }
    tie = (Entity.EntityIDRawType.self as? any (Comparable & Hashable).Type).flatMap {
      Self.idComparison($0)
    }
    compare = Self.chain(keys, tie ?? { _, _ in 0 })
  }

  private static func chain(
    _ keys: [RowComparison], _ tie: @escaping RowComparison
  ) -> RowComparison {
    keys.reversed().reduce(tie) { rest, key in
      { a, b in
        let result = key(a, b)
        return result != 0 ? result : rest(a, b)
      }
    }
  }

  private static func idComparison<Raw: Comparable & Hashable>(
    _ type: Raw.Type
  ) -> RowComparison? {
    { a, b in
      let first = a.assumingMemoryBound(to: Entity.self).pointee.entityID.raw
      let second = b.assumingMemoryBound(to: Entity.self).pointee.entityID.raw
      guard let x = first as? Raw, let y = second as? Raw else { return 0 }
      return precedesTotally(x, y) ? -1 : precedesTotally(y, x) ? 1 : 0
    }
  }
}

extension SortDescriptor {
  /// The key path; `nil` if the order of its values is not known.
  ///
  /// The order of strings is known if the descriptor has no string comparator or has the comparator
  /// `lexical`. Strings are then compared by `isLess`, as in sorted indexes.
  var knownPath: PartialKeyPath<Compared>? {
    if let stringComparator, stringComparator != .lexical { return nil }
    guard let keyPath else { return nil }
    let type = type(of: keyPath).valueType
    return type is any Comparable.Type || type is any ComparableOptional.Type ? keyPath : nil
  }

  /// The comparison of rows: compiled if possible, otherwise by the descriptor itself.
  var rowComparison: RowComparison {
    compiled ?? { first, second in
      let lhs = first.assumingMemoryBound(to: Compared.self)
      let rhs = second.assumingMemoryBound(to: Compared.self)
      return compare(lhs.pointee, rhs.pointee).rawValue
    }
  }

  /// The compiled comparison of rows, or `nil` when the order is not known.
  var compiled: RowComparison? {
    guard let knownPath else { return nil }
    let isReversed = order == .reverse
    if let type = type(of: knownPath).valueType as? any ComparableOptional.Type {
      return type.comparison(knownPath, isReversed)
    }
    guard let type = type(of: knownPath).valueType as? any Comparable.Type else { return nil }
    return Self.comparison(knownPath, isReversed, Int.self)
      ?? Self.comparison(knownPath, isReversed, String.self)
      ?? Self.comparison(knownPath, isReversed, Double.self)
      ?? Self.comparison(knownPath, isReversed, Date.self)
      ?? Self.comparison(knownPath, isReversed, Int64.self)
      ?? Self.anyComparison(knownPath, isReversed, type)
  }

  private static func anyComparison<Value: Comparable>(
    _ path: PartialKeyPath<Compared>, _ isReversed: Bool, _ type: Value.Type
  ) -> RowComparison? { comparison(path, isReversed, type) }

  // Inlined, so that values of the types named in `compiled` are compared in specialized code.
  @inline(__always)
  private static func comparison<Value: Comparable>(
    _ path: PartialKeyPath<Compared>, _ isReversed: Bool, _ type: Value.Type
  ) -> RowComparison? {
    guard let path = path as? KeyPath<Compared, Value> else { return nil }
    if let offset = MemoryLayout<Compared>.offset(of: path) {
      return isReversed
        ? { compareValues(read($1, offset, Value.self), read($0, offset, Value.self)) }
        : { compareValues(read($0, offset, Value.self), read($1, offset, Value.self)) }
    }
    return {
      let a = $0.assumingMemoryBound(to: Compared.self).pointee[keyPath: path]
      let b = $1.assumingMemoryBound(to: Compared.self).pointee[keyPath: path]
      return isReversed ? compareValues(b, a) : compareValues(a, b)
    }
  }
}

/// An optional whose wrapped type has an order.
protocol ComparableOptional {
  /// Returns the comparison of rows by a field of this type, in which `nil` precedes every value.
  static func comparison<Root>(_ path: PartialKeyPath<Root>, _ isReversed: Bool) -> RowComparison?
}

extension Optional: ComparableOptional where Wrapped: Comparable {
  static func comparison<Root>(_ path: PartialKeyPath<Root>, _ isReversed: Bool) -> RowComparison? {
    guard let path = path as? KeyPath<Root, Wrapped?> else { return nil }
    return { first, second in
      let a = first.assumingMemoryBound(to: Root.self).pointee[keyPath: path]
      let b = second.assumingMemoryBound(to: Root.self).pointee[keyPath: path]
      let result: Int
      switch (a, b) {
      case (nil, nil): result = 0
      case (nil, _): result = -1
      case (_, nil): result = 1
      case (let a?, let b?): result = compareValues(a, b)
      }
      return isReversed ? -result : result
    }
  }
}

// The documentation of `MemoryLayout.offset(of:)` allows this access. The offset is the position at
// which a root stores the value of the property.
@inline(__always)
private func read<Value>(
  _ row: UnsafeRawPointer, _ offset: Int, _ type: Value.Type
) -> Value { (row + offset).assumingMemoryBound(to: Value.self).pointee }

/// Compares two values in the total order of the sorted indexes, in which NaN is last.
@inline(__always)
private func compareValues<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
  typealias Order = IndexOrder<Value, Int>
  if Order.isLess(a, b) { return -1 }
  if Order.isLess(b, a) { return 1 }
  if a == b { return 0 }
  let (isNumber, otherIsNumber) = (a == a, b == b)
  return isNumber == otherIsNumber ? 0 : isNumber ? -1 : 1
}

/// All conditions of a fetch, combined into one test. The first slot of the tested frame is the
/// row.
struct RowFilter<Entity: EntityType> {
  // Not optional, because a closure in an optional is called through a thunk.
  private(set) var test: (PredicateFrame) throws -> Bool = { _ in true }
  /// Whether the filter accepts every row.
  private(set) var isEmpty = true
  private(set) var slotCount = 1
  /// The test of several adjacent rows in one call; `nil` if there is none.
  private(set) var runTest: RunTest?

  init() {}

  /// Whether a row satisfies the conditions. A row for which the predicate has no value does not.
  func accepts(_ row: UnsafeRawPointer) -> Bool {
    if isEmpty { return true }
    return PredicateFrame.with(slotCount: slotCount) { frame in
      frame.set(0, to: row)
      do { return try test(frame) } catch { return false }
    }
  }

  mutating func require(_ predicate: CompiledPredicate) {
    slotCount = max(slotCount, predicate.slotCount)
    require(predicate.test, predicate.runTest)
  }

  mutating func require(_ closure: RowClosure<Entity>) {
    let accepts = closure.accepts
    require { frame in accepts(frame.address(of: 0).assumingMemoryBound(to: Entity.self)) }
  }

  mutating func require(
    _ next: @escaping (PredicateFrame) throws -> Bool, _ nextRunTest: RunTest? = nil
  ) {
    runTest = isEmpty ? nextRunTest : .both(runTest, nextRunTest)
    let first = test
    test = isEmpty ? next : { try first($0) && next($0) }
    isEmpty = false
  }
}
