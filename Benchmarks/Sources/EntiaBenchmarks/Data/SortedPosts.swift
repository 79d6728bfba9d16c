import EntiaCollections
import EntiaDatabase

/// Posts by their views, as an index keeps them.
typealias ViewsOrder = KeyThenID<Int, Post.EntityID>
typealias ViewsTree = SortedTree<ViewsOrder>
typealias ViewsEntry = SortedEntry<Int, Post.EntityID>

extension Post {
  /// What stands for the post in an index of views.
  var viewsEntry: ViewsEntry { ViewsEntry(key: views, id: entityID) }
}

extension ViewsEntry {
  /// Gives the entry another key, near by; the next time the first one again.
  mutating func flip() { self = ViewsEntry(key: key ^ 1, id: id) }
}

/// The same in an array in order, the least that an app keeps by hand.
struct SortedEntries {
  private(set) var entries: [ViewsEntry]

  /// Creates an array of entries, which are in order.
  init(_ entries: [ViewsEntry]) { self.entries = entries }

  /// How many entries come before this one.
  func rank(of entry: ViewsEntry) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if ViewsOrder.precedes(entries[middle], entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many entries have fewer views.
  func countBelow(_ key: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func insert(_ entry: ViewsEntry) { entries.insert(entry, at: rank(of: entry)) }
  mutating func remove(_ entry: ViewsEntry) { entries.remove(at: rank(of: entry)) }
}
