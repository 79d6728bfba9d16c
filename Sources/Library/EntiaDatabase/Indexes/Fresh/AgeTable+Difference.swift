package import EntiaCollections
import Foundation

extension AgeTable: PlacedElements {
  /// Returns the addresses of the entries that differ from an older version, in the order of their
  /// IDs; `nil` for absence. They are valid as long as both versions exist.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  func differences(
    from old: Self
  ) -> [(old: UnsafePointer<Entry>?, new: UnsafePointer<Entry>?)] {
    var (olds, news): ([UnsafePointer<Entry>], [UnsafePointer<Entry>]) = ([], [])
    for difference in blocks.differences(from: old.blocks) {
      switch difference {
      case .removed(let block): Self.addAddresses(of: block, to: &olds)
      case .inserted(let block): Self.addAddresses(of: block, to: &news)
      }
    }
    var result: [(old: UnsafePointer<Entry>?, new: UnsafePointer<Entry>?)] = []
    var (a, b) = (olds[...], news[...])
    while let old = a.first, let new = b.first {
      if old.pointee.key < new.pointee.key {
        result.append((old, nil))
        a.removeFirst()
      } else if new.pointee.key < old.pointee.key {
        result.append((nil, new))
        b.removeFirst()
      } else {
        if old.pointee.value != new.pointee.value { result.append((old, new)) }
        a.removeFirst()
        b.removeFirst()
      }
    }
    result += a.map { ($0, nil) }
    result += b.map { (nil, $0) }
    withExtendedLifetime((self, old)) {}
    return result
  }

  private static func addAddresses(
    of block: AgeBlock<ID>, to addresses: inout [UnsafePointer<Entry>]
  ) {
    block.entries.withUnsafeBufferPointer { entries in
      guard let start = entries.baseAddress else { return }
      // The version keeps the memory of the array.
      for index in entries.indices { addresses.append(start + index) }
    }
  }

  /// Returns the differences from an older version. The order of the entries has no meaning.
  package func placements(from old: Self) -> PlacementDifference<Entry> {
    PlacementDifference(unordered: differences(from: old))
  }

  /// Returns `nil`: the order has no meaning.
  package func element(before element: Entry) -> Entry? { nil }

  /// Returns `nil`: the order has no meaning.
  package func element(after element: Entry) -> Entry? { nil }
}

extension AgeTable {
  /// The entries that are out of place. There are none, unless Entia itself has a defect.
  /// - Complexity: O(*n* log *n*).
  var misplaced: [Entry] {
    var result: [Entry] = []
    var previous: ID?
    var oldestOfBlocks: [SortedEntry<Date, ID>] = []
    for block in blocks {
      if let last = previous, !(last < block.bound) { result += block.entries.prefix(1) }
      for entry in block.entries {
        if entry.key < block.bound || previous.map({ !($0 < entry.key) }) ?? false {
          result.append(entry)
        }
        previous = entry.key
      }
      if !block.entries.isEmpty { oldestOfBlocks.append(AgeBlock.oldest(of: block.entries)) }
    }
    oldestOfBlocks.sort(by: IndexOrder.precedes)
    for difference in oldest.differences(from: SortedTree(oldestOfBlocks)) {
      switch difference {
      case .inserted(let entry), .removed(let entry):
        result.append(Entry(key: entry.id, value: entry.key))
      }
    }
    return result
  }
}
