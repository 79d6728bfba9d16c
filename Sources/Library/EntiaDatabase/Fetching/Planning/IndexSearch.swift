import EntiaCollections

/// Finds the ways in which the indexes of a database can serve a fetch.
struct IndexSearch<Contents: StorageContents, Entity: EntityType>: StorageVisitor {
  let contents: Contents
  let conditions: FieldConditions
  /// The sort of the fetch. `nil` for the table's order, and for an order in which no index can
  /// store the rows.
  let sort: IndexSort<Entity>?
  private(set) var found: [RowCandidates<Entity>] = []

  init(_ contents: Contents, _ conditions: FieldConditions, sort: IndexSort<Entity>?) {
    self.contents = contents
    self.conditions = conditions
    self.sort = sort
    Contents.visitParts(&self)
  }

  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard Index.Entity.self == Entity.self else { return }
    let index: any IndexType = contents[keyPath: path]
    guard index.coverage != .acceptedRows else { return }
    if let index = index as? any OrderedIndex<Entity> {
      search(name, index)
    } else if let index = index as? any SearchableIndex<Entity> {
      search(name, index)
    } else if let index = index as? Indexes.Substring<Entity> {
      search(name, index)
    }
  }

  /// Looks up a part of a string.
  private mutating func search(_ name: String, _ index: Indexes.Substring<Entity>) {
    for condition in conditions.parts where condition.path == index.fields.first?.path {
      // A short part is left to a scan.
      guard let ids = index.foundIDs(containing: condition.part) else { continue }
      let words = "\(fieldName(condition.path)) contains \(condition.part)"
      found.append(
        RowCandidates(count: ids.count, names: [name], access: "\(name) (\(words))") { body in
          for id in ids where !body(id) { return }
        })
    }
  }

  /// Looks up values in an index that has no order.
  private mutating func search(_ name: String, _ index: some SearchableIndex<Entity>) {
    guard index.fields.count == 1, let path = index.fields[0].path else { return }
    for condition in conditions.values where condition.path == path {
      let lists = condition.values.map { index.ids(equalTo: $0) }
      // The index cannot serve the condition if one of the values cannot be a key. Rows with this
      // value may be missing in the index.
      let known = lists.compactMap { $0 }
      guard known.count == lists.count else { continue }
      let words = equality(fieldName(path), condition.values)
      found.append(RowCandidates(known, foundBy: name, "\(name) (\(words))"))
    }
  }

  /// Searches an ordered index for rows with given values of the first fields, and with the next
  /// field in a range.
  private mutating func search<Index: OrderedIndex>(_ name: String, _ index: Index)
  where Index.Entity == Entity {
    let paths = index.fields.compactMap { $0.path as AnyKeyPath? }
    guard paths.count == index.fields.count, let first = paths.first else { return }
    guard index.fields.allSatisfy({ $0.isUsable }) else { return }
    var values: [Any] = []
    var words: [String] = []
    while values.count < paths.count, let value = conditions.value(of: paths[values.count]) {
      words.append(equality(fieldName(paths[values.count]), [value]))
      values.append(value)
    }
    var lower = ConditionBound.unbounded
    var upper = ConditionBound.unbounded
    if values.count < paths.count, let bounds = conditions.bounds(of: paths[values.count]) {
      (lower, upper) = bounds
      let name = fieldName(paths[values.count])
      words.append(name + lower.text("from", "above") + upper.text("through", "below"))
    }
    if words.isEmpty {
      for condition in conditions.values where condition.path == first {
        search(name, index, values: condition.values, path: first)
      }
      // Without a condition on the key, the index must also contain the rows that have no key.
      guard index.coverage == .allRows else { return }
    }
    let isReversed = sort?.isServed(by: index.fields, fixing: values.count, conditions)
    guard isReversed != nil || !words.isEmpty else { return }
    guard let ranks = index.ranks(values, lower, upper) else { return }
    let walk = IndexWalk(
      ranks: ranks, fixedCount: values.count, isReversed: isReversed ?? false,
      start: isReversed == nil ? nil : sort?.start(under: conditions))
    let range = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    found.append(
      RowCandidates(
        count: ranks.count, names: [name], access: name + range, isInOrder: isReversed != nil
      ) { index.walk(walk, $0) })
  }

  /// Looks up several values of the first field.
  private mutating func search<Index: OrderedIndex>(
    _ name: String, _ index: Index, values: [Any], path: AnyKeyPath
  ) where Index.Entity == Entity {
    let ranks = values.map { index.ranks([$0], .unbounded, .unbounded) }
    let known = ranks.compactMap { $0 }
    guard known.count == ranks.count else { return }
    found.append(
      RowCandidates(
        count: known.reduce(0) { $0 + $1.count }, names: [name],
        access: "\(name) (\(equality(fieldName(path), values)))", hasRepeats: true
      ) { body in
        var shouldContinue = true
        for ranks in known where shouldContinue {
          index.walk(IndexWalk(ranks: ranks, isReversed: false, start: nil)) { id in
            shouldContinue = body(id)
            return shouldContinue
          }
        }
      })
  }
}

/// An index that finds rows by a value of its field, for code that does not depend on the field's
/// type.
protocol SearchableIndex<Entity>: IndexType {
  /// Returns the IDs of the entities whose key is the value, or `nil` when the value is not of the
  /// key's type.
  func ids(equalTo value: Any) -> LinkList<Entity.EntityID>?
}

extension Indexes.Hash: SearchableIndex {
  func ids(equalTo value: Any) -> LinkList<Entity.EntityID>? {
    (value as? Key).map { table[HashedKey($0)]?.value ?? .few([]) }
  }
}

extension Indexes.Unique: SearchableIndex {
  func ids(equalTo value: Any) -> LinkList<Entity.EntityID>? {
    (value as? Key).map { .few(ids(for: $0)) }
  }
}

extension Indexes.GroupBy: SearchableIndex {
  func ids(equalTo value: Any) -> LinkList<Entity.EntityID>? { hash.ids(equalTo: value) }
}

extension IndexField {
  /// Whether a fetch can use the field's order. A descending floating-point field cannot be used,
  /// because a fetch has NaN first in a descending field, but an index has NaN last in every field.
  var isUsable: Bool { !isDescending || !isFloatingPoint }

  private var isFloatingPoint: Bool {
    path.map { type(of: $0 as AnyKeyPath).valueType is any FloatingPoint.Type } ?? false
  }
}
