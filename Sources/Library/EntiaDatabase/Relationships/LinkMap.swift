public import EntiaCollections

/// The holders of each referenced entity: the reverse direction of a key, updated from the
/// changes of rows. Only Entia creates and reads it.
@frozen
public struct LinkMap<Holder: EntityType, Target: EntityType>: Sendable {
  @usableFromInline
  typealias Links = LinkList<Holder.EntityID>
  @usableFromInline
  typealias Entries = PersistentTable<EntryKeyed<Target.EntityID, Links>>

  @usableFromInline
  var table: Entries

  @inlinable
  init() { table = PersistentTable() }

  @inlinable
  package func holders(of target: Target.EntityID) -> [Holder.EntityID] {
    table[target]?.value.ids ?? []
  }

  @inlinable
  @inline(__always)
  static func table(of map: UnsafePointer<Self>) -> UnsafePointer<Entries> {
    // The table is the only stored property of a map, so both have the same address.
    UnsafeRawPointer(map).assumingMemoryBound(to: Entries.self)
  }

  /// Calls the closure with each target whose holders, or their order, differ between two versions.
  /// The caller must keep the memory of both versions alive and unchanged.
  /// - Complexity: O(changes), if one version was derived from the other.
  @inlinable
  @inline(__always)
  static func visitDifferingTargets(
    _ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>, _ body: (Target.EntityID) -> Void
  ) {
    Entries.visitDifferingKeys(table(of: old), table(of: new), body)
  }

  /// Returns the holders of a target. The caller must keep the memory of the map alive and
  /// unchanged.
  @inlinable
  @inline(__always)
  static func holders(of target: Target.EntityID, in map: UnsafePointer<Self>) -> [Holder.EntityID]
  {
    let entries = table(of: map)
    guard let entry = Entries.address(of: target, in: entries) else { return [] }
    // The entry is matched in place, because a copied entry would be retained more than once.
    switch entry.pointee.value {
    case .few(let ids): return ids
    case .many(let ids): return ids.elements
    }
  }

  /// Links a holder to a target, unless they are already linked.
  /// - Parameter isMissing: Whether the holder is known not to be linked to the target.
  @inlinable
  package mutating func link(
    _ holder: Holder.EntityID, to target: Target.EntityID, isMissing: Bool = false
  ) {
    if table.update(target, { $0.value.insert(holder, isMissing: isMissing) }) == nil {
      table.updateOrInsert(KeyValueEntry(key: target, value: Links(holder)))
    }
  }

  @inlinable
  package mutating func unlink(_ holder: Holder.EntityID, from target: Target.EntityID) {
    let isEmpty = table.update(target) { entry in
      entry.value.remove(holder)
      return entry.value.isEmpty
    }
    if isEmpty == true { table.remove(target) }
  }

  @inlinable
  func hasHolder(of target: Target.EntityID) -> Bool { table.contains(target) }

  func isHolder(_ holder: Holder.EntityID, of target: Target.EntityID) -> Bool {
    table[target]?.value.contains(holder) ?? false
  }

  /// Calls the closure with each holder of a target until it returns `false`.
  func visitHolders(of target: Target.EntityID, _ body: (Holder.EntityID) -> Bool) {
    table[target]?.value.visit(body)
  }

  func holderCount(of target: Target.EntityID) -> Int { table[target]?.value.count ?? 0 }

  /// The IDs of all referenced entities.
  var targets: [Target.EntityID] { table.map { $0.key } }
}

extension RelationshipType {
  /// The holders of each referenced entity, or `nil` if they are not stored in a `LinkMap`.
  var linkMap: LinkMap<Holder, Target>? {
    (self as? ToOne<Holder, Target>)?.links ?? (self as? ToMany<Holder, Target>)?.links
  }

  /// Calls the closure with each target whose holders, or their order, differ between two versions
  /// of a relationship. The caller must keep the memory of both versions alive and unchanged.
  /// - Complexity: O(changes), if one version was derived from the other.
  @inlinable
  @inline(__always)
  package static func visitDifferingTargets(
    _ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>, _ body: (Target.EntityID) -> Void
  ) {
    typealias One = ToOne<Holder, Target>
    typealias Many = ToMany<Holder, Target>
    typealias Links = UnsafePointer<LinkMap<Holder, Target>>
    let (old, new) = (UnsafeRawPointer(old), UnsafeRawPointer(new))
    let links: (old: Links?, new: Links?)
    // Comparing types takes less time than a cast to `LinkedRelationship`.
    if Self.self == One.self {
      links = (
        old.assumingMemoryBound(to: One.self).pointer(to: \.links),
        new.assumingMemoryBound(to: One.self).pointer(to: \.links)
      )
    } else if Self.self == Many.self {
      links = (
        old.assumingMemoryBound(to: Many.self).pointer(to: \.links),
        new.assumingMemoryBound(to: Many.self).pointer(to: \.links)
      )
    } else {
      return
    }
    guard let old = links.old, let new = links.new else { return }
    LinkMap.visitDifferingTargets(old, new, body)
  }
}

extension LinkMap {
  /// Updates the links after the list of a holder has changed. Most changes are small. Therefore,
  /// the common prefix and suffix are skipped, and up to four IDs are searched for in the list
  /// itself, without hashing it.
  @inlinable
  mutating func relink(
    _ holder: Holder.EntityID, from old: [Target.EntityID], to new: [Target.EntityID]
  ) {
    let shorter = Swift.min(old.count, new.count)
    var head = 0
    while head < shorter, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] {
      tail += 1
    }
    // Each ID of a differing range is searched for in the whole other list. If the ID was moved, it
    // is in the differing range of that list. If the ID is repeated, it may be in the common prefix
    // or suffix instead.
    let removed = Self.missing(old[head..<old.count - tail], from: new)
    let come = Self.missing(new[head..<new.count - tail], from: old)
    for target in removed { unlink(holder, from: target) }
    for target in come { link(holder, to: target) }
  }

  /// Returns the IDs that a list does not contain.
  @inlinable
  static func missing(
    _ ids: ArraySlice<Target.EntityID>, from list: [Target.EntityID]
  ) -> [Target.EntityID] {
    if ids.isEmpty { return [] }
    if list.isEmpty { return Array(ids) }
    if ids.count <= 4 { return ids.filter { !list.contains($0) } }
    let known = Set(list)
    return ids.filter { !known.contains($0) }
  }
}

/// Builds the links of many holders at once. Each list is allocated once, in its final size.
@frozen
@usableFromInline
struct LinkBuilder<Holder: EntityType, Target: EntityType> {
  @usableFromInline typealias Links = LinkList<Holder.EntityID>

  /// The targets in the order of their slots. Their lists are empty until `links()` fills them.
  @usableFromInline var table = PersistentTable<EntryKeyed<Target.EntityID, Links>>()
  @usableFromInline var holders: [Holder.EntityID] = []
  /// The slot of each holder's target.
  @usableFromInline var slots: [UInt32] = []
  /// The number of holders of each target.
  @usableFromInline var counts: [Int] = []

  @inlinable
  init(capacity: Int) {
    holders.reserveCapacity(capacity)
    slots.reserveCapacity(capacity)
  }

  /// Adds a holder that has not been added before.
  @inlinable
  @inline(__always)
  mutating func link(_ holder: Holder.EntityID, to target: Target.EntityID) {
    let slot = table.slot(of: target, inserting: KeyValueEntry(key: target, value: .few([])))
    if slot == counts.count { counts.append(0) }
    counts[slot] &+= 1
    slots.append(UInt32(truncatingIfNeeded: slot))
    holders.append(holder)
  }

  /// Returns the links of all added holders.
  @inlinable
  consuming func links() -> LinkMap<Holder, Target> {
    // Below, an array without capacity would write its count to the global empty array, which the
    // thread sanitizer reports as a race.
    if holders.isEmpty { return LinkMap() }
    // Sorts the holders by target with a counting sort. Each element of `ends` is the index at
    // which the next holder of a target is placed.
    var ends: [Int] = []
    ends.reserveCapacity(counts.count)
    var next = 0
    for count in counts {
      ends.append(next)
      next &+= count
    }
    let sorted = [Holder.EntityID](unsafeUninitializedCapacity: holders.count) { buffer, count in
      for (holder, slot) in zip(holders, slots) {
        buffer.initializeElement(at: ends[Int(slot)], to: holder)
        ends[Int(slot)] &+= 1
      }
      count = holders.count
    }
    for slot in counts.indices {
      let end = ends[slot]
      table.updateElement(at: slot) { $0.value = Links(sorted[end &- counts[slot]..<end]) }
    }
    var map = LinkMap<Holder, Target>()
    map.table = table
    return map
  }
}
