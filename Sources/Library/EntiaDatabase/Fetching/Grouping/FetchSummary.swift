import EntiaCollections
public import Foundation

/// Statistics of the numbers in a field of the fetched entities.
public struct FetchSummary<Value: Comparable & Numeric & Sendable>: Equatable, Sendable {
  /// The number of values; NaN and `nil` are not counted.
  public internal(set) var count = 0
  /// The sum of the values; `nil` when the type cannot represent it.
  public var sum: Value? { overflow == 0 ? wrappedSum : nil }
  /// The least value, or `nil` when there are none.
  public internal(set) var minimum: Value?
  /// The greatest value, or `nil` when there are none.
  public internal(set) var maximum: Value?
  /// The arithmetic mean of the values, or `nil` when there are none.
  public var average: Double? {
    if count == 0 { return nil }
    if total.isFinite { return total / Double(count) }
    return scaledTotal / Double(count) / Self.scale
  }

  /// The sum of the values, or its low bits if an integer type cannot represent the sum.
  private var wrappedSum: Value = .zero
  /// The sum of the overflows that `NumberOperations.sum` returned. If `overflow` is not 0, the
  /// property `sum` is `nil`.
  private var overflow = 0
  private var total = 0.0
  /// The sum of the values, each multiplied by `scale`. The sum is finite unless one of the values
  /// is infinite.
  private var scaledTotal = 0.0

  private static var scale: Double { 0x1p-64 }

  init() {}

  mutating func add(_ value: Value, by operations: NumberOperations<Value>) {
    guard operations.isNumber(value) else { return }
    count += 1
    let (sum, overflow) = operations.sum(wrappedSum, value)
    wrappedSum = sum
    self.overflow += overflow
    minimum = minimum.map { min($0, value) } ?? value
    maximum = maximum.map { max($0, value) } ?? value
    total += operations.asDouble(value)
    scaledTotal += operations.asDouble(value) * Self.scale
  }
}

/// A number type that `fetchSummary` supports: any fixed-width integer, `Double`, `Float` or
/// `Decimal`.
public protocol FetchableNumber: Comparable, Numeric, Sendable {
  /// The operations that `fetchSummary` uses.
  static var fetchOperations: NumberOperations<Self> { get }
}

/// The operations on numbers of one type that `fetchSummary` uses. Only Entia creates and uses
/// them.
public struct NumberOperations<Number: Comparable & Sendable>: Sendable {
  /// Returns the sum of two numbers, and an `overflow` of 0. If an integer type cannot represent
  /// the sum, returns its low bits, and an `overflow` of 1 above the range or -1 below it. If a
  /// `Decimal` sum is not a number, returns the first number and an `overflow` of 1.
  let sum: @Sendable (Number, Number) -> (sum: Number, overflow: Int)
  /// Returns a number as a `Double`, rounded if necessary.
  let asDouble: @Sendable (Number) -> Double
  /// Returns whether a value is not NaN.
  var isNumber: @Sendable (Number) -> Bool = { $0 == $0 }
}

extension FetchableNumber where Self: FixedWidthInteger {
  /// The operations that `fetchSummary` uses; a sum beyond the range of the type is `nil`.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(
      sum: { first, second in
        let (sum, overflow) = first.addingReportingOverflow(second)
        return (sum, overflow ? second.signum() < 0 ? -1 : 1 : 0)
      }, asDouble: { Double($0) })
  }
}

extension FetchableNumber where Self: BinaryFloatingPoint {
  /// The operations that `fetchSummary` uses; a sum beyond the range of the type is infinite.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(sum: { ($0 + $1, 0) }, asDouble: { Double($0) })
  }
}

extension Int: FetchableNumber {}
extension Int8: FetchableNumber {}
extension Int16: FetchableNumber {}
extension Int32: FetchableNumber {}
extension Int64: FetchableNumber {}
extension UInt: FetchableNumber {}
extension UInt8: FetchableNumber {}
extension UInt16: FetchableNumber {}
extension UInt32: FetchableNumber {}
extension UInt64: FetchableNumber {}
extension Float: FetchableNumber {}
extension Double: FetchableNumber {}

extension Decimal: FetchableNumber {
  /// The operations that `fetchSummary` uses; a sum that is not a number is `nil`.
  public static var fetchOperations: NumberOperations<Self> {
    NumberOperations(
      sum: { first, second in
        let sum = first + second
        return sum.isNaN ? (first, 1) : (sum, 0)
      }, asDouble: { NSDecimalNumber(decimal: $0).doubleValue }, isNumber: { !$0.isNaN })
  }
}

extension NormalizedStorageType {
  /// Returns the count, sum, minimum, maximum and average of a field in the entities that a fetch
  /// descriptor selects.
  ///
  /// ```swift
  /// library.fetchSummary(FetchDescriptor<Book>(), of: \.year).average
  /// ```
  ///
  /// - Complexity: That of `fetch`; no entity is copied.
  public func fetchSummary<Entity: EntityType, Value: FetchableNumber>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> FetchSummary<Value> {
    let reader = FieldReader(field)
    return summary(descriptor) { reader.read($0) }
  }

  /// Returns the count, sum, minimum, maximum and average of an optional field in the entities that
  /// a fetch descriptor selects; `nil` is ignored.
  ///
  /// - Complexity: That of `fetch`; no entity is copied.
  public func fetchSummary<Entity: EntityType, Value: FetchableNumber>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value?> & Sendable
  ) -> FetchSummary<Value> {
    let reader = FieldReader(field)
    return summary(descriptor) { reader.read($0) }
  }

  private func summary<Entity: EntityType, Value: FetchableNumber>(
    _ descriptor: FetchDescriptor<Entity>, _ read: (Entity) -> Value?
  ) -> FetchSummary<Value> {
    let operations = Value.fetchOperations
    var summary = FetchSummary<Value>()
    forEachRow(descriptor) {
      if let value = read($0.pointee) { summary.add(value, by: operations) }
      return true
    }
    return summary
  }

  /// Returns the count, sum, minimum, maximum and average of a field, for each key of the entities
  /// that a fetch descriptor selects.
  /// - Returns: Keys and summaries, in the order in which the keys first appear in the fetch.
  /// - Complexity: That of `fetch`; no entity is copied.
  public func fetchSummaries<Entity: EntityType, Value: FetchableNumber, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable,
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> [(key: Key, summary: FetchSummary<Value>)] {
    let reader = FieldReader(field)
    return summaries(descriptor, by: key) { reader.read($0) }
  }

  /// Returns the count, sum, minimum, maximum and average of an optional field, for each key of the
  /// entities that a fetch descriptor selects; `nil` is ignored.
  /// - Returns: Keys and summaries, in the order in which the keys first appear in the fetch.
  /// - Complexity: That of `fetch`; no entity is copied.
  public func fetchSummaries<Entity: EntityType, Value: FetchableNumber, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value?> & Sendable,
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> [(key: Key, summary: FetchSummary<Value>)] {
    let reader = FieldReader(field)
    return summaries(descriptor, by: key) { reader.read($0) }
  }

  private func summaries<Entity: EntityType, Value: FetchableNumber, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, by key: any KeyPath<Entity, Key> & Sendable,
    _ read: (Entity) -> Value?
  ) -> [(key: Key, summary: FetchSummary<Value>)] {
    let keyReader = FieldReader(key)
    let operations = Value.fetchOperations
    var summaries: [(key: Key, summary: FetchSummary<Value>)] = []
    var positions: [HashedKey<Key>: Int] = [:]
    forEachRow(descriptor) { row in
      let key = keyReader.read(row.pointee)
      let position = positions[HashedKey(key)] ?? summaries.count
      if position == summaries.count {
        positions[HashedKey(key)] = position
        summaries.append((key, FetchSummary()))
      }
      if let value = read(row.pointee) {
        summaries[position].summary.add(value, by: operations)
      }
      return true
    }
    return summaries
  }

  /// Returns the least value of a field in the entities that a fetch descriptor selects, or `nil`
  /// when there is none; NaN is ignored.
  /// - Complexity: O(log *n*) when an index has the field's order, otherwise that of `fetch`.
  public func fetchMinimum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> Value? { extreme(descriptor, field, .forward) { isLess($0, $1) } }

  /// Returns the greatest value of a field in the entities that a fetch descriptor selects, or
  /// `nil` when there is none; NaN is ignored.
  /// - Complexity: O(log *n*) when an index has the field's order, otherwise that of `fetch`.
  public func fetchMaximum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> Value? { extreme(descriptor, field, .reverse) { isLess($1, $0) } }

  /// Returns the least value of an optional field in the entities that a fetch descriptor selects,
  /// or `nil` when there is none; NaN is ignored.
  /// - Complexity: That of `fetch`.
  public func fetchMinimum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value?> & Sendable
  ) -> Value? {
    let reader = FieldReader(field)
    return extreme(descriptor, { reader.read($0) }, isBetter: { isLess($0, $1) })
  }

  /// Returns the greatest value of an optional field in the entities that a fetch descriptor
  /// selects, or `nil` when there is none; NaN is ignored.
  /// - Complexity: That of `fetch`.
  public func fetchMaximum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value?> & Sendable
  ) -> Value? {
    let reader = FieldReader(field)
    return extreme(descriptor, { reader.read($0) }, isBetter: { isLess($1, $0) })
  }

  private func extreme<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, _ field: any KeyPath<Entity, Value> & Sendable,
    _ order: SortOrder, _ isBetter: (Value, Value) -> Bool
  ) -> Value? {
    let reader = FieldReader(field)
    if descriptor.fetchLimit == nil, descriptor.fetchOffset == nil,
      !(Value.self is any FloatingPoint.Type), Value.self != Decimal.self
    {
      var sorted = descriptor
      sorted.relatedSorts = []
      sorted.sortBy = [SortDescriptor(field, order: order)]
      sorted.fetchLimit = 1
      if !explain(sorted).isSorting { return first(sorted).map { reader.read($0) } }
    }
    return extreme(descriptor, { reader.read($0) }, isBetter: isBetter)
  }

  private func extreme<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, _ read: (Entity) -> Value?,
    isBetter: (Value, Value) -> Bool
  ) -> Value? {
    var best: Value?
    forEachRow(descriptor) { row in
      guard let value = read(row.pointee), isNumber(value) else { return true }
      if let known = best, !isBetter(value, known) { return true }
      best = value
      return true
    }
    return best
  }
}

/// Whether a value is not NaN. A `Decimal` NaN equals itself, so it needs a check of its own.
private func isNumber<Value: Equatable>(_ value: Value) -> Bool {
  value == value && (value as? Decimal)?.isNaN != true
}

extension NormalizedStorageType {
  /// Returns the fetched entities, grouped by a field of the referenced entity.
  ///
  /// ```swift
  /// library.fetchGrouped(FetchDescriptor<Book>(), by: \Library.bookAuthor, \.country)
  /// ```
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - path: The relationship; its holder is the entity type of the descriptor.
  ///   - key: The field of the referenced entity.
  /// - Returns: The groups, in the order in which their keys first appear in the fetch. The key
  ///   is `nil` for entities whose relationship references no entity of the database.
  /// - Complexity: That of `fetch`, plus one lookup for each entity.
  public func fetchGrouped<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [FetchGroup<Key?, Entity>] {
    groups(descriptor, by: relatedReader(path, key))
  }

  /// Returns the number of fetched entities for each value of a field of the referenced entity.
  ///
  /// - Parameters:
  ///   - descriptor: The entities to fetch.
  ///   - path: The relationship; its holder is the entity type of the descriptor.
  ///   - key: The field of the referenced entity.
  /// - Returns: Keys and counts, in the order in which the keys first appear in the fetch. The
  ///   key is `nil` for entities whose relationship references no entity of the database.
  /// - Complexity: That of `fetch`, plus one lookup for each entity; no entity is copied.
  public func fetchCounts<Root, Entity: EntityType, Target: EntityType, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>,
    by path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> [(key: Key?, count: Int)] {
    counts(descriptor, by: relatedReader(path, key))
  }

  /// Returns a closure that reads a field of the entity that a row references.
  private func relatedReader<Root, Entity: EntityType, Target: EntityType, Key>(
    _ path: any KeyPath<Root, ToOne<Entity, Target>> & Sendable,
    _ key: any KeyPath<Target, Key> & Sendable
  ) -> (UnsafePointer<Entity>) -> Key? {
    guard let relationship = StoragePath(path).part(in: self),
      let table = snapshot.table(of: Target.self)
    else { return { _ in nil } }
    let reader = FieldReader(key)
    return { row in
      relationship.targetID(of: row.pointee).flatMap { table.row(of: $0) }
        .map { reader.read($0.row.assumingMemoryBound(to: Target.self).pointee) }
    }
  }
}
