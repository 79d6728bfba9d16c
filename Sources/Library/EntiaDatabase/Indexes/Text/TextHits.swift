/// Documents that match a term, ascending, with what their rank needs.
struct TextHits {
  var documents: [Int] = []
  var lengths: [Int] = []
  /// The number of places, each times the weight of its field.
  var frequencies: [Double] = []

  mutating func append(_ document: Int, _ length: Int, _ frequency: Double) {
    documents.append(document)
    lengths.append(length)
    frequencies.append(frequency)
  }

  /// Removes the hits without a place.
  mutating func removeEmpty() {
    let kept = documents.indices.filter { frequencies[$0] >= 0 }
    documents = kept.map { documents[$0] }
    lengths = kept.map { lengths[$0] }
    frequencies = kept.map { frequencies[$0] }
  }
}

/// Documents with their ranks: the number of lower ones.
struct DocumentRanks {
  private var bits: [UInt64]
  /// The number of documents before those of each element of `bits`.
  private var counts: [Int] = []

  /// Creates an empty set.
  /// - Parameter end: The number after the greatest document.
  init(end: Int) { bits = [UInt64](repeating: 0, count: end / 64 + 1) }

  @inline(__always)
  mutating func insert(_ document: Int) { bits[document &>> 6] |= 1 &<< UInt64(document & 63) }

  /// Counts the documents, which their ranks require.
  @discardableResult
  mutating func count() -> Int {
    var count = 0
    counts.reserveCapacity(bits.count)
    for element in bits {
      counts.append(count)
      count += element.nonzeroBitCount
    }
    return count
  }

  @inline(__always)
  func contains(_ document: Int) -> Bool {
    bits[document &>> 6] &>> UInt64(document & 63) & 1 == 1
  }

  @inline(__always)
  func rank(of document: Int) -> Int {
    let lower = bits[document &>> 6] & (1 &<< UInt64(document & 63) &- 1)
    return counts[document &>> 6] &+ lower.nonzeroBitCount
  }

  /// Calls the closure with each document, ascending.
  func visit(_ body: (Int) -> Void) {
    for (index, element) in bits.enumerated() {
      var rest = element
      while rest != 0 {
        body(index &<< 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
  }
}
