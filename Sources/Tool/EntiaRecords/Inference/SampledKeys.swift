/// The values of a member, with a sample that can show at a low cost that they are not the IDs of
/// an entity.
struct SampledKeys {
  private static let sampleCount = 64

  private let keys: Set<UInt64>
  /// The smallest keys, which are hashes: a sample that is the same in each run. Empty if there are
  /// few keys.
  private let sample: [UInt64]

  /// Creates the sample of a set of hashes.
  ///
  /// - Complexity: O(keys).
  init(_ keys: Set<UInt64>) {
    self.keys = keys
    sample = keys.count > 4 * Self.sampleCount ? Self.smallest(keys) : []
  }

  private static func smallest(_ keys: Set<UInt64>) -> [UInt64] {
    var smallest = keys.prefix(sampleCount).sorted()
    for key in keys.dropFirst(sampleCount) where key < smallest[sampleCount - 1] {
      smallest.removeLast()
      smallest.insert(key, at: smallest.firstIndex { $0 > key } ?? smallest.endIndex)
    }
    return smallest
  }

  /// A quarter of the keys, rounded up.
  var quarter: Int { (keys.count + 3) / 4 }

  /// Returns the number of keys that are IDs, or nil if they are fewer than a quarter.
  ///
  /// If less than an eighth of the sample are IDs, the keys are not examined.
  ///
  /// - Parameter isID: A closure that returns whether a key is an ID.
  /// - Complexity: O(keys); O(1) if the sample has too few IDs.
  func overlap(_ isID: (UInt64) -> Bool) -> Int? {
    if !sample.isEmpty, sample.count(where: isID) * 8 < sample.count { return nil }
    let allowed = keys.count - quarter
    var misses = 0
    for key in keys where !isID(key) {
      misses += 1
      if misses > allowed { return nil }
    }
    return keys.count == misses ? nil : keys.count - misses
  }
}
