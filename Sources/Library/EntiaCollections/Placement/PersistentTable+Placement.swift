extension PersistentTable: PlacedElements where Element: Equatable {
  /// Returns the differences from an older version, with the place of each new or moved element.
  ///
  /// An element that was removed and inserted again has moved, even if it is equal. An element that
  /// only a compaction moved to another slot has not moved.
  /// - Parameter old: The older version.
  /// - Returns: The differences. Of the elements whose slots differ, the fewest possible count as
  ///   moved.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated versions.
  package func placements(from old: Self) -> PlacementDifference<Element> {
    var result = PlacementDifference<Element>()
    if isIdentical(to: old) { return result }
    if old.isEmpty {
      result.runs = [
        .init(
          previous: nil, elements: elements.map { .init(element: $0, isMoved: false) }, next: nil)
      ]
      return result
    }
    var slots = SlotDifferences()
    _ = collectDifferences(from: old, into: &slots, stopping: false)
    var candidates: [PlacementCandidate] = []
    result.updated.reserveCapacity(slots.count)
    for difference in slots {
      if difference.isUpdate {
        if let before = difference.oldAddress, let after = difference.newAddress {
          result.updated.append(UpdatedElement(old: before, new: after))
        }
        continue
      }
      if let before = difference.old(Element.self)?.pointee, !contains(Layout.key(of: before)) {
        result.removed.append(before)
      }
      guard let after = difference.new(Element.self) else { continue }
      let key = Layout.key(of: after.pointee)
      let oldSlot = old.slot(of: key)
      candidates.append(PlacementCandidate(slot: slot(of: key), oldSlot: oldSlot))
      if let before = old.pointer(to: key), !haveSameValue(before.pointee, after.pointee) {
        result.updated.append(UpdatedElement(old: before, new: after))
      }
    }
    result.runs = runs(of: placed(candidates))
    withExtendedLifetime((self, old)) {}
    return result
  }

  /// Returns the candidates that were inserted or moved, in slot order. Elements with the same slot
  /// in both versions have not moved.
  private func placed(_ candidates: [PlacementCandidate]) -> [PlacementCandidate] {
    let common = candidates.filter { $0.oldSlot >= 0 }
    if common.isEmpty { return candidates }
    let taken = Set(candidates.map(\.slot))
    // For each candidate, the next element with an unchanged slot is looked up in both versions. If
    // the two results differ, the candidate has moved.
    let following = steadySlots(from: common.map(\.slot), except: taken)
    let order = common.indices.sorted { common[$0].oldSlot < common[$1].oldSlot }
    let oldFollowing = steadySlots(from: order.map { common[$0].oldSlot }, except: taken)
    var isSteady = [Bool](repeating: false, count: common.count)
    for (place, index) in order.enumerated() {
      isSteady[index] = following[index] == oldFollowing[place]
    }
    let steady = common.indices.filter { isSteady[$0] }.map { common[$0].oldSlot }
    let stayed = Set(longestIncreasingSubsequence(of: steady))
    return candidates.filter { !stayed.contains($0.oldSlot) }
  }

  /// Returns, for each slot, the first live slot at or after it that is not excluded, or `.max` if
  /// there is none. The slots must ascend.
  private func steadySlots(from slots: [Int], except excluded: Set<Int>) -> [Int] {
    var current = -1
    return slots.map { slot in
      if current < slot {
        current = slot
        while let next = liveSlot(from: current) {
          current = next
          if !excluded.contains(next) { return current }
          current += 1
        }
        current = .max
      }
      return current
    }
  }

  /// Groups elements that are adjacent.
  private func runs(of placed: [PlacementCandidate]) -> [PlacementDifference<Element>.Run] {
    var result: [PlacementDifference<Element>.Run] = []
    var index = 0
    while index < placed.count {
      let first = placed[index].slot
      var elements: [PlacementDifference<Element>.Placed] = []
      var following: Int? = first
      while index < placed.count, placed[index].slot == following {
        let candidate = placed[index]
        elements.append(
          .init(element: element(at: candidate.slot), isMoved: candidate.oldSlot >= 0))
        following = liveSlot(from: candidate.slot + 1)
        index += 1
      }
      result.append(
        .init(
          previous: liveSlot(before: first).map { element(at: $0) }, elements: elements,
          next: following.map { element(at: $0) }))
    }
    return result
  }

  /// Returns the element before `element`, or `nil` if `element` is the first. `element` is looked
  /// up by its key.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*).
  package func element(before element: Element) -> Element? {
    let slot = slot(of: Layout.key(of: element))
    return slot < 0 ? nil : liveSlot(before: slot).map { self.element(at: $0) }
  }

  /// Returns the element after `element`, or `nil` if `element` is the last. `element` is looked up
  /// by its key.
  /// - Parameter element: An element of the table.
  /// - Complexity: O(log *n*).
  package func element(after element: Element) -> Element? {
    let slot = slot(of: Layout.key(of: element))
    return slot < 0 ? nil : liveSlot(from: slot + 1).map { self.element(at: $0) }
  }
}

/// An element of the newer version whose key was not in the same slot in the older version.
private struct PlacementCandidate {
  let slot: Int
  /// The slot of the element with the same key in the older version, or -1.
  let oldSlot: Int
}

extension PersistentTable {
  /// Returns the first live slot at or after a slot, or `nil`.
  func liveSlot(from first: Int) -> Int? {
    let run = firstLiveRun(from: first)
    return run.isEmpty ? nil : run.lowerBound
  }

  /// Returns the last live slot before a slot, or `nil`.
  func liveSlot(before end: Int) -> Int? {
    guard let top else { return nil }
    let pageShift = Page.shift
    var slot = end - 1
    search: while slot >= 0 {
      var node = top
      var shift = pageShift + TreeNode.shift * height
      while true {
        guard let child = node.child(of: slot, shift: shift) else {
          slot = ((slot >> shift) << shift) - 1
          continue search
        }
        if shift == pageShift {
          let live = child.cast(to: Page.self).live
          let position = slot & (Page.capacity - 1)
          let rest = live << UInt64(63 - position)
          if rest != 0 { return slot - rest.leadingZeroBitCount }
          slot = ((slot >> shift) << shift) - 1
          continue search
        }
        node = child.cast()
        shift -= TreeNode.shift
      }
    }
    return nil
  }
}
