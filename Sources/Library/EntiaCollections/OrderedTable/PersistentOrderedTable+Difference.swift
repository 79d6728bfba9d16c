/// An element in a leaf that two versions do not share.
@frozen
@usableFromInline
struct OrderedCandidate<Element> {
  @usableFromInline let position: Int
  /// The number of preceding elements in leaves that both versions share. The elements in shared
  /// leaves have the same order in both versions, so an element has moved if this number differs
  /// between the versions.
  @usableFromInline let sharedBefore: Int
  @usableFromInline let element: UnsafePointer<Element>

  @inlinable
  init(position: Int, sharedBefore: Int, element: UnsafePointer<Element>) {
    self.position = position
    self.sharedBefore = sharedBefore
    self.element = element
  }
}

extension PersistentOrderedTable where Element: Equatable {
  /// Returns the differences from an older version, by key.
  ///
  /// No element in a leaf that both versions share counts as moved. Of the other elements, the
  /// fewest possible count as moved.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated versions.
  @inlinable
  package func differences(from old: Self) -> OrderedChanges<Key, Element> {
    differences(from: old, id: { Layout.key(of: $0.pointee) }, value: { $0.pointee })
  }

  /// Returns the differences from an older version, with the IDs and the values that two closures
  /// return for the addresses of the elements.
  @inlinable
  func differences<ID, Value>(
    from old: Self, id: (UnsafePointer<Element>) -> ID, value: (UnsafePointer<Element>) -> Value
  ) -> OrderedChanges<ID, Value> {
    var result = OrderedChanges<ID, Value>()
    func placed(_ candidate: OrderedCandidate<Element>) -> OrderedChanges<ID, Value>.Placed {
      let element = candidate.element
      return .init(id: id(element), element: value(element), index: candidate.position)
    }
    if isIdentical(to: old) { return result }
    let (before, after) = candidates(from: old)
    var places: [Key: Int] = [:]
    places.reserveCapacity(before.count)
    for (place, candidate) in before.enumerated() {
      places[Layout.key(of: candidate.element.pointee)] = place
    }
    var isKept = [Bool](repeating: false, count: before.count)
    // `common` lists the elements that are in both versions, in the new order. `steady` lists the
    // old indices of the elements of `common` that may have stayed.
    var common: [(old: Int, new: Int)] = []
    var steady: [Int] = []
    for (place, candidate) in after.enumerated() {
      let element = candidate.element
      guard let oldPlace = places[Layout.key(of: element.pointee)] else {
        result.inserted.append(placed(candidate))
        continue
      }
      isKept[oldPlace] = true
      common.append((oldPlace, place))
      if before[oldPlace].sharedBefore == candidate.sharedBefore { steady.append(oldPlace) }
      let oldElement = before[oldPlace].element
      if !haveSameValue(oldElement.pointee, element.pointee) {
        result.updated.append(
          .init(id: id(element), old: value(oldElement), new: value(element)))
      }
    }
    for (place, candidate) in before.enumerated() where !isKept[place] {
      result.removed.append(placed(candidate))
    }
    let stayed = Set(longestIncreasingSubsequence(of: steady))
    for pair in common where !stayed.contains(pair.old) {
      let new = after[pair.new]
      result.moved.append(
        .init(id: id(new.element), from: before[pair.old].position, to: new.position))
    }
    withExtendedLifetime((self, old)) {}
    return result
  }

  /// Returns the elements of each version in order, without the leaves that both versions share.
  @inlinable
  func candidates(
    from old: Self
  ) -> (old: [OrderedCandidate<Element>], new: [OrderedCandidate<Element>]) {
    guard isTree, old.isTree else { return (old.allCandidates(), allCandidates()) }
    let differences = leaves.differences(from: old.leaves)
    return (
      old.candidates(in: differences.compactMap { $0.old == nil ? nil : $0.number }),
      candidates(in: differences.compactMap { $0.new == nil ? nil : $0.number })
    )
  }

  @inlinable
  func allCandidates() -> [OrderedCandidate<Element>] {
    var result: [OrderedCandidate<Element>] = []
    var cursor = OrderedLeafCursor(self)
    while let leaf = cursor.next() {
      for offset in 0..<leaf.count {
        result.append(
          OrderedCandidate(
            position: result.count, sharedBefore: 0, element: leaf.elements + offset))
      }
    }
    return result
  }

  @inlinable
  func candidates(in numbers: [Int]) -> [OrderedCandidate<Element>] {
    var result: [OrderedCandidate<Element>] = []
    let ordered = numbers.map { (start: start(ofLeaf: $0), number: $0) }
      .sorted { $0.start < $1.start }
    for (start, number) in ordered {
      let leaf = leaves[number]
      let shared = start - result.count
      for offset in 0..<leaf.count {
        result.append(
          OrderedCandidate(
            position: start + offset, sharedBefore: shared,
            element: leaf.elements + offset))
      }
    }
    return result
  }
}
