import EntiaDatabase

/// Everything that can be read of a version, in plain arrays and dictionaries of their own.
struct StorageImage: Equatable {
  /// The rows of each table, in order.
  var tables: [[AnyRow]] = []
  /// The keys of each ordered table, in order.
  var orders: [[RowKey]] = []
  /// The IDs that the user holds, in order where that matters.
  var held: [[RowKey]] = []
  /// The IDs that the user holds, whatever their order.
  var heldSets: [Set<RowKey>] = []
  /// For each relationship the holders of every target that is linked or stored, in order.
  var links: [[RowKey: [RowKey]]] = []

  /// Reads a version.
  init<Storage>(of storage: Storage, _ parts: StorageParts<Storage>) {
    let contents = storage.snapshot.contents
    tables = parts.tables.map { $0.rows(contents) }
    orders = parts.tables.filter(\.isOrdered).map { $0.rows(contents).map(\.key) }
    held = parts.heldIDs.filter(\.isOrdered).map { $0.ids(contents) }
    heldSets = parts.heldIDs.map { Set($0.ids(contents)) }
    let keys = tables.joined().map(\.key)
    links = parts.relationships.map { relationship in
      let targets = relationship.linkedTargets(contents)
      let stored = keys.filter { $0.entity == relationship.target }
      var result: [RowKey: [RowKey]] = [:]
      for target in targets + stored {
        let holders = relationship.holders(contents, target)
        if !holders.isEmpty { result[target] = holders }
      }
      return result
    }
  }

  /// All rows by their keys: the content without any order.
  var content: [RowKey: AnyRow] {
    Dictionary(tables.joined().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the rows and held IDs are the same, and where order matters are in the same one.
  func hasSameContent(as other: Self) -> Bool {
    content == other.content && orders == other.orders && held == other.held
      && heldSets == other.heldSets
  }

  /// How many held IDs came or went since an older version; one for a list that only has another
  /// order.
  func heldChangeCount(since old: Self) -> Int {
    let counts = zip(heldSets, old.heldSets).map { $0.symmetricDifference($1).count }
    return counts.reduce(0, +) + reorderedCount(since: old)
  }

  private func reorderedCount(since old: Self) -> Int {
    zip(held, old.held).count { $0 != $1 && Set($0) == Set($1) }
  }

  /// The differences of the content from an older one, found by looking at every row.
  func transitions(from old: Self) -> [RowKey: (old: AnyRow?, new: AnyRow?)] {
    let (before, after) = (old.content, content)
    var result: [RowKey: (old: AnyRow?, new: AnyRow?)] = [:]
    for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
      result[key] = (before[key], after[key])
    }
    return result
  }
}
