import EntiaCollections
import EntiaDatabase

/// Decodes the entries of a table.
///
/// Each method handles many rows, because calling an unspecialized generic function takes as long
/// as decoding a few rows.
final class TableDecoding<Storage: NormalizedStorageType, Entity: EntityType>: EntryDecoding {
  private let coding: PartCoding<Entity>
  /// For each change of a row: its version, the old row, and the new row. `olds` contains `nil` for
  /// an inserted row, and `news` contains `nil` for a removed row.
  private var versions: [Int64] = []
  private var olds: [Entity?] = []
  private var news: [Entity?] = []
  /// For each change, the index of an earlier change of the same row, if the two changes can be
  /// combined; otherwise -1. The array is empty if no batches are combined.
  private var predecessors: [Int] = []
  /// The number of changes that were moved to a change set.
  private var moved = 0
  private var orders: [Int64: TableOrderChanges<Entity>] = [:]

  init(_ coding: PartCoding<Entity>) { self.coding = coding }

  func decode(
    _ entries: LoggedEntries, combining combines: Bool, breaks: inout Set<Int64>
  ) throws {
    let coding = coding
    let text = entries.text
    let count = entries.entries.count
    versions.reserveCapacity(count)
    var (olds, news): ([Entity?], [Entity?]) = ([], [])
    olds.reserveCapacity(count)
    news.reserveCapacity(count)
    for entry in entries.entries {
      // Most entries are updates.
      let isUpdate = entry.count >= 3 && text.isText(entry.kind, "update")
      var (old, new): (Int?, Int?) = (nil, entry.kind + 2)
      switch (isUpdate ? "" : entries.kind(of: entry), entry.count) {
      case ("", _) where isUpdate, ("insert", 1...): break
      case ("remove", 1...): (old, new) = (entry.kind + 2, nil)
      case ("replace", 2...): old = entries.value(1, of: entry)
      case ("order", 2...):
        orders[entry.version] = try order(entry, entries)
        breaks.insert(entry.version)
        breaks.insert(entry.version + 1)
        continue
      default: throw entries.unknown(entry)
      }
      do {
        olds.append(
          isUpdate
            ? try entries.oldRow(of: entry, coding) : try old.map { try coding.decode(text, $0) })
        news.append(try new.map { try coding.decode(text, $0) })
      } catch let error as SharedDatabaseError {
        throw error
      } catch {
        throw entries.located(error, entry)
      }
      let row = versions.count
      versions.append(entry.version)
      if let old = olds[row], let new = news[row], old.entityID != new.entityID {
        throw entries.malformed("an update changes the ID of a row", entry)
      }
    }
    (self.olds, self.news) = (olds, news)
    if combines { findPredecessors(&breaks) }
  }

  private typealias Run = TableOrderChanges<Entity>.NeighboredRun

  private func order(
    _ entry: LoggedEntry, _ entries: LoggedEntries
  ) throws -> TableOrderChanges<Entity> {
    let ids = try entries.ids(of: Entity.self)
    func runs(_ index: Int) throws -> [Run] {
      try entries.array(entries.value(index, of: entry), of: entry).map { node in
        let values = try entries.array(node, of: entry)
        guard values.count == 4, let first: Int = entries.text.integer(values[0]), first >= 0,
          first < 1 << 48
        else { throw entries.malformed("a run of the order is no position with IDs", entry) }
        let all = try entries.decodeAll(values[1], of: entry, ids)
        let places = all.enumerated().map { index, id in
          TableOrderChanges<Entity>.Place(entityID: id, position: first + index)
        }
        return Run(
          places: places, previous: try entries.decodeAll(values[2], of: entry, ids).first,
          next: try entries.decodeAll(values[3], of: entry, ids).first)
      }
    }
    guard let order = TableOrderChanges(taken: try runs(0), placed: try runs(1)) else {
      throw entries.malformed("the positions of the order do not ascend", entry)
    }
    return order
  }

  /// Finds, for each change, the previous change of the same row. If the old row of the change is
  /// not the new row of the previous change, its batch is not combined with earlier batches.
  private func findPredecessors(_ breaks: inout Set<Int64>) {
    var lastRows: [Entity.EntityID: Int] = [:]
    lastRows.reserveCapacity(versions.count)
    predecessors.reserveCapacity(versions.count)
    for row in versions.indices {
      guard let id = (news[row] ?? olds[row])?.entityID,
        let last = lastRows.updateValue(row, forKey: id)
      else {
        predecessors.append(-1)
        continue
      }
      if versions[last] == versions[row] {
        // A batch that changes a row twice is not combined; it is refused later.
        breaks.insert(versions[row])
        breaks.insert(versions[row] + 1)
        predecessors.append(-1)
      } else if let former = news[last], let old = olds[row], haveSameValue(former, old) {
        predecessors.append(last)
      } else {
        breaks.insert(versions[row])
        predecessors.append(-1)
      }
    }
  }

  func move(through version: Int64, to changes: inout StorageChangeSet<Storage>) {
    let first = moved
    var end = first
    while end < versions.count, versions[end] <= version { end += 1 }
    let order = orders.removeValue(forKey: version)
    if end == first, order == nil { return }
    moved = end
    combine(first..<end)
    var result = TableChanges<Entity>()
    for row in first..<end where predecessors.isEmpty || predecessors[row] < first {
      switch (olds[row], news[row]) {
      case (nil, let new?): result.inserted.append(new)
      case (let old?, nil): result.removed.append(old)
      case (let old?, let new?): result.updated.append(EntityUpdate(old: old, new: new))
      case (nil, nil): break
      }
    }
    if let order { result.order = order }
    changes.setChanges(result)
  }

  /// Combines all changes of a row in the range into its first change. The first change then leads
  /// to the result of the last change.
  private func combine(_ range: Range<Int>) {
    if predecessors.isEmpty { return }
    for row in range where predecessors[row] >= range.lowerBound {
      let former = predecessors[row]
      let first = predecessors[former] >= range.lowerBound ? predecessors[former] : former
      predecessors[row] = first
      news[first] = news[row]
    }
  }
}
