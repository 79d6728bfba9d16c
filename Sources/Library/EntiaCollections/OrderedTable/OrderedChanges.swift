/// The differences of one version from an older one: by ID for an identified array, and by key for
/// an ordered table.
///
/// To turn the older version into the newer one: remove the removed and the moved elements; insert
/// the inserted and the moved elements, by ascending index; replace the updated elements.
/// `IdentifiedArray.apply(_:)` does this.
@frozen
public struct OrderedChanges<ID: Hashable, Element> {
  /// An element that only one of the versions has.
  @frozen
  public struct Placed {
    /// The element's ID.
    public let id: ID
    /// The element.
    public let element: Element
    /// The element's position in the version that has it.
    public let index: Int

    @inlinable
    init(id: ID, element: Element, index: Int) {
      self.id = id
      self.element = element
      self.index = index
    }
  }

  /// An element that differs between the versions.
  @frozen
  public struct Updated {
    /// The element's ID.
    public let id: ID
    /// The element of the older version.
    public let old: Element
    /// The element of the newer version.
    public let new: Element

    @inlinable
    init(id: ID, old: Element, new: Element) {
      self.id = id
      self.old = old
      self.new = new
    }
  }

  /// An element that changed its position relative to the others.
  @frozen
  public struct Moved {
    /// The element's ID.
    public let id: ID
    /// The element's position in the older version.
    public let from: Int
    /// The element's position in the newer version.
    public let to: Int

    @inlinable
    init(id: ID, from: Int, to: Int) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The elements that only the newer version has, by ascending index.
  public var inserted: [Placed] = []
  /// The elements that only the older version has, by ascending index.
  public var removed: [Placed] = []
  /// The elements that differ, in the newer version's order.
  public var updated: [Updated] = []
  /// The elements whose position relative to the others differs, by ascending new index. An element
  /// that only shifted because others were inserted or removed is not included.
  public var moved: [Moved] = []

  @inlinable
  init() {}

  /// Whether both versions hold equal elements in the same order.
  public var isEmpty: Bool {
    inserted.isEmpty && removed.isEmpty && updated.isEmpty && moved.isEmpty
  }

  /// The changes from the newer version to the older one.
  /// - Complexity: O(*k* log *k*), where *k* is the number of changes.
  public var inverted: Self {
    var result = self
    swap(&result.inserted, &result.removed)
    result.updated = updated.map { Updated(id: $0.id, old: $0.new, new: $0.old) }
    result.moved = moved.map { Moved(id: $0.id, from: $0.to, to: $0.from) }
      .sorted { $0.to < $1.to }
    return result
  }
}

extension OrderedChanges: Sendable where ID: Sendable, Element: Sendable {}
extension OrderedChanges.Placed: Sendable where ID: Sendable, Element: Sendable {}
extension OrderedChanges.Updated: Sendable where ID: Sendable, Element: Sendable {}
extension OrderedChanges.Moved: Sendable where ID: Sendable {}
extension OrderedChanges: Equatable where Element: Equatable {}
extension OrderedChanges.Placed: Equatable where Element: Equatable {}
extension OrderedChanges.Updated: Equatable where Element: Equatable {}
extension OrderedChanges.Moved: Equatable {}

/// Returns a longest increasing subsequence of a list of distinct numbers. If the numbers are the
/// old positions of rows, listed in the new order of the rows, the result is a largest set of rows
/// that can stay while the others move.
/// - Complexity: O(*n* log *n*).
@usableFromInline
package func longestIncreasingSubsequence(of numbers: [Int]) -> [Int] {
  // `lasts[n]` is the index of the least number with which an increasing subsequence of `n + 1`
  // numbers ends. `links[i]` is the index of the number before `numbers[i]` in such a subsequence,
  // or -1 if `numbers[i]` is the first.
  var lasts: [Int] = []
  var links = [Int](repeating: -1, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    var lengths = 0..<lasts.count
    // Usually the number extends the longest subsequence.
    if let last = lasts.last, numbers[last] < number { lengths = lasts.count..<lasts.count }
    while !lengths.isEmpty {
      let middle = lengths.lowerBound + lengths.count / 2
      if numbers[lasts[middle]] < number {
        lengths = middle + 1..<lengths.upperBound
      } else {
        lengths = lengths.lowerBound..<middle
      }
    }
    let length = lengths.lowerBound
    if length > 0 { links[index] = lasts[length - 1] }
    if length == lasts.count { lasts.append(index) } else { lasts[length] = index }
  }
  var ascent: [Int] = []
  ascent.reserveCapacity(lasts.count)
  var index = lasts.last ?? -1
  while index >= 0 {
    ascent.append(numbers[index])
    index = links[index]
  }
  return ascent.reversed()
}
