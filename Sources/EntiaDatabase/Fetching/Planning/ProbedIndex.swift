import EntiaCollections

/// An index that finds rows by the values of a field.
protocol ProbedIndex<Entity>: IndexType {
  /// Returns how many rows have one of the values, and which; `nil` when a value is none that the
  /// index has keys for.
  func lookUp(_ values: [Any]) -> FoundRows<Entity>?
}

/// Rows that an index found.
struct FoundRows<Entity: EntityType> {
  /// How many there are, at most.
  let count: Int
  /// Works out which.
  let ids: () -> [Entity.EntityID]
}

extension Indexes.Hash: ProbedIndex {
  func lookUp(_ values: [Any]) -> FoundRows<Entity>? {
    guard let keys = distinctKeys(values, as: Key.self) else { return nil }
    let lists = keys.compactMap { table[HashedKey($0)]?.value }
    return FoundRows(count: lists.reduce(0) { $0 + $1.count }) { lists.flatMap(\.ids) }
  }
}

extension Indexes.Unique: ProbedIndex {
  func lookUp(_ values: [Any]) -> FoundRows<Entity>? {
    guard let keys = distinctKeys(values, as: Key.self) else { return nil }
    let ids = keys.flatMap { self.ids(for: $0) }
    return FoundRows(count: ids.count) { ids }
  }
}

extension LinkList {
  var count: Int {
    switch self {
    case .few(let ids): ids.count
    case .many(let ids): ids.count
    }
  }
}

private func distinctKeys<Key: Hashable>(_ values: [Any], as type: Key.Type) -> [Key]? {
  var seen: Set<Key> = []
  var keys: [Key] = []
  for value in values {
    guard let key = value as? Key else { return nil }
    if seen.insert(key).inserted { keys.append(key) }
  }
  return keys
}
