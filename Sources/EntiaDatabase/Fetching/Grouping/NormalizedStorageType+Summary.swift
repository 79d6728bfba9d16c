import Foundation

extension NormalizedStorageType {
  /// Returns count, sum, minimum, maximum and average of a field in the entities that a description
  /// asks for.
  ///
  /// ```swift
  /// library.fetchSummary(FetchDescriptor<Book>(), of: \.year).average
  /// ```
  ///
  /// - Complexity: as `fetch`; no entity is copied.
  public func fetchSummary<Entity: EntityType, Value: FetchableNumber>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> FetchSummary<Value> {
    let reader = FieldReader(field)
    var summary = FetchSummary<Value>()
    forEachRow(descriptor) {
      summary.add(reader.read($0.pointee))
      return true
    }
    return summary
  }

  /// Returns count, sum, minimum, maximum and average of a field in the entities that a description
  /// asks for, for each key.
  /// - Returns: keys and summaries, in the order in which the keys first come in the fetch.
  /// - Complexity: as `fetch`; no entity is copied.
  public func fetchSummaries<Entity: EntityType, Value: FetchableNumber, Key: Hashable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable,
    by key: any KeyPath<Entity, Key> & Sendable
  ) -> [(key: Key, summary: FetchSummary<Value>)] {
    let reader = FieldReader(field)
    let keyReader = FieldReader(key)
    var summaries: [(key: Key, summary: FetchSummary<Value>)] = []
    var positions: [HashedKey<Key>: Int] = [:]
    forEachRow(descriptor) { row in
      let key = keyReader.read(row.pointee)
      let position = positions[HashedKey(key)] ?? summaries.count
      if position == summaries.count {
        positions[HashedKey(key)] = position
        summaries.append((key, FetchSummary()))
      }
      summaries[position].summary.add(reader.read(row.pointee))
      return true
    }
    return summaries
  }

  /// Returns the least value of a field in the entities that a description asks for, or `nil` when
  /// there is none; a NaN is none.
  /// - Complexity: O(log *n*) where an index has the field's order, otherwise as `fetch`.
  public func fetchMinimum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> Value? { extreme(descriptor, field, .forward) { $0 < $1 } }

  /// Returns the greatest value of a field in the entities that a description asks for, or `nil` when
  /// there is none; a NaN is none.
  /// - Complexity: O(log *n*) where an index has the field's order, otherwise as `fetch`.
  public func fetchMaximum<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, of field: any KeyPath<Entity, Value> & Sendable
  ) -> Value? { extreme(descriptor, field, .reverse) { $0 > $1 } }

  private func extreme<Entity: EntityType, Value: Comparable & Sendable>(
    _ descriptor: FetchDescriptor<Entity>, _ field: any KeyPath<Entity, Value> & Sendable,
    _ order: SortOrder, _ isBetter: (Value, Value) -> Bool
  ) -> Value? {
    let reader = FieldReader(field)
    if descriptor.fetchLimit == nil, descriptor.fetchOffset == nil,
      !(Value.self is any FloatingPoint.Type)
    {
      var sorted = descriptor
      sorted.relatedSorts = []
      sorted.sortBy = [SortDescriptor(field, order: order)]
      sorted.fetchLimit = 1
      if !explain(sorted).isSorting { return first(sorted).map { reader.read($0) } }
    }
    var best: Value?
    forEachRow(descriptor) { row in
      let value = reader.read(row.pointee)
      guard value == value else { return true }
      if let known = best, !isBetter(value, known) { return true }
      best = value
      return true
    }
    return best
  }
}
