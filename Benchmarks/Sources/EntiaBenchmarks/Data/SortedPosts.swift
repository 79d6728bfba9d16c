import EntiaCollections
import EntiaDatabase

/// The order of posts by their views, as in an index.
typealias ViewsOrder = KeyThenID<Int, Post.EntityID>
typealias ViewsTree = SortedTree<ViewsOrder>
typealias ViewsEntry = SortedEntry<Int, Post.EntityID>

extension Post {
  /// The entry of the post in an index of views.
  var viewsEntry: ViewsEntry { ViewsEntry(key: views, id: entityID) }
}

extension ViewsEntry {
  /// Changes the key of the entry to an adjacent one. The next call restores it.
  mutating func flip() { self = ViewsEntry(key: key ^ 1, id: id) }
}

/// The same entries in a sorted array, the simplest structure that an app maintains by hand.
struct SortedEntries {
  private(set) var entries: [ViewsEntry]

  /// Creates an array of entries, which must be in order.
  init(_ entries: [ViewsEntry]) { self.entries = entries }

  /// Returns the number of entries that precede this one.
  func rank(of entry: ViewsEntry) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if ViewsOrder.precedes(entries[middle], entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the number of entries with fewer views.
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
