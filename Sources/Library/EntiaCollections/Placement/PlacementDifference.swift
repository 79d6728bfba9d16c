/// The differences of one version of a table from an older one, with the place of every element
/// that is new or moved.
///
/// To turn the older version into the newer one: remove the removed elements, replace the updated
/// elements, and put the elements of each run between `previous` and `next` of the run.
package struct PlacementDifference<Element> {
  /// An element that only the newer version has, or whose position relative to the others differs.
  package struct Placed {
    /// The element of the newer version.
    package let element: Element
    /// Whether the older version has an element with the same key.
    package let isMoved: Bool
  }

  /// Adjacent elements of the newer version that are all inserted or moved.
  package struct Run {
    /// The element before the run, or `nil` if the run is at the beginning of the table. `previous`
    /// itself is neither inserted nor moved.
    package let previous: Element?
    /// The elements, in order.
    package let elements: [Placed]
    /// The element after the run, or `nil` if the run is at the end of the table. `next` itself is
    /// neither inserted nor moved.
    package let next: Element?
  }

  /// The elements that only the older version has.
  package var removed: [Element] = []
  /// The elements with keys in both versions but different content. They may also be in a run.
  package var updated: [UpdatedElement] = []
  /// The inserted and the moved elements, in the order of the newer version.
  package var runs: [Run] = []

  /// The owner of the updated elements, if they are not stored in the versions themselves.
  private var keptValues: AnyObject?

  /// Whether both versions contain equal elements in the same order.
  package var isEmpty: Bool { removed.isEmpty && updated.isEmpty && runs.isEmpty }
}

extension PlacementDifference {
  /// Creates the differences between versions whose order has no meaning.
  /// - Parameter differences: Each differing element in the older and in the newer version. `nil`
  ///   means that the version lacks the element.
  package init(unordered differences: [(old: Element?, new: Element?)]) {
    var inserted: [Placed] = []
    var pairs: [Element] = []
    for (old, new) in differences {
      switch (old, new) {
      case (let old?, let new?): pairs += [old, new]
      case (let old?, nil): removed.append(old)
      case (nil, let new?): inserted.append(Placed(element: new, isMoved: false))
      case (nil, nil): break
      }
    }
    if !inserted.isEmpty { runs = [Run(previous: nil, elements: inserted, next: nil)] }
    if pairs.isEmpty { return }
    let values = KeptValues(pairs)
    keptValues = values
    for place in stride(from: 0, to: pairs.count, by: 2) {
      updated.append(UpdatedElement(old: values.start + place, new: values.start + place + 1))
    }
  }
}

/// Values at addresses that do not change.
private final class KeptValues<Element> {
  let start: UnsafeMutablePointer<Element>
  private let count: Int

  init(_ values: [Element]) {
    count = values.count
    start = .allocate(capacity: count)
    start.initialize(from: values, count: count)
  }

  deinit {
    start.deinitialize(count: count)
    start.deallocate()
  }
}

/// The addresses of an element in two versions, which are valid as long as both versions and the
/// difference exist.
///
/// The type is not generic, because the metadata of a generic type is looked up for each access.
package struct UpdatedElement {
  private let oldAddress: UnsafeRawPointer
  private let newAddress: UnsafeRawPointer

  init(old: UnsafeRawPointer, new: UnsafeRawPointer) { (oldAddress, newAddress) = (old, new) }

  /// Returns the address of the element in the older version.
  package func old<Element>(_ type: Element.Type) -> UnsafePointer<Element> {
    oldAddress.assumingMemoryBound(to: type)
  }

  /// Returns the address of the element in the newer version.
  package func new<Element>(_ type: Element.Type) -> UnsafePointer<Element> {
    newAddress.assumingMemoryBound(to: type)
  }
}

/// A table whose order can be stored as one number for each element.
package protocol PlacedElements<Element> {
  /// The type of the elements.
  associatedtype Element

  /// Returns the differences from an older version, with the place of each new or moved element.
  func placements(from old: Self) -> PlacementDifference<Element>
  /// Returns the element before `element`, or `nil` if `element` is the first. `element` is looked
  /// up by its key.
  func element(before element: Element) -> Element?
  /// Returns the element after `element`, or `nil` if `element` is the last. `element` is looked up
  /// by its key.
  func element(after element: Element) -> Element?
}

extension PersistentOrderedTable: PlacedElements where Element: Equatable {
  /// Returns the differences from an older version, with the place of each new or moved element.
  /// - Parameter old: The older version.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated versions.
  package func placements(from old: Self) -> PlacementDifference<Element> {
    let differences = differences(
      from: old, id: { Layout.key(of: $0.pointee) }, value: { UnsafeRawPointer($0) })
    var result = PlacementDifference<Element>()
    result.removed = differences.removed.map {
      $0.element.assumingMemoryBound(to: Element.self).pointee
    }
    result.updated = differences.updated.map { UpdatedElement(old: $0.old, new: $0.new) }
    var placed = differences.inserted.map { (position: $0.index, isMoved: false) }
    placed += differences.moved.map { ($0.to, true) }
    placed.sort { $0.position < $1.position }
    var index = 0
    while index < placed.count {
      let first = placed[index].position
      var elements: [PlacementDifference<Element>.Placed] = []
      while index < placed.count, placed[index].position == first + elements.count {
        let place = placed[index]
        elements.append(.init(element: self[position: place.position], isMoved: place.isMoved))
        index += 1
      }
      let end = first + elements.count
      result.runs.append(
        .init(
          previous: first > 0 ? self[position: first - 1] : nil, elements: elements,
          next: end < count ? self[position: end] : nil))
    }
    withExtendedLifetime((self, old)) {}
    return result
  }

  /// Returns the element before `element`, or `nil` if `element` is the first. `element` is looked
  /// up by its key.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*) expected.
  package func element(before element: Element) -> Element? {
    guard let position = position(of: Layout.key(of: element)), position > 0 else { return nil }
    return self[position: position - 1]
  }

  /// Returns the element after `element`, or `nil` if `element` is the last. `element` is looked up
  /// by its key.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*) expected.
  package func element(after element: Element) -> Element? {
    guard let position = position(of: Layout.key(of: element)), position + 1 < count else {
      return nil
    }
    return self[position: position + 1]
  }
}
