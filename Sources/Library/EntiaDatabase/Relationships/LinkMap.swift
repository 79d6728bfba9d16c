public import EntiaCollections

/// The holders of each referenced entity: the reverse direction of a key, updated from the
/// changes of rows.
@frozen
@usableFromInline
package struct LinkMap<Holder: EntityType, Target: EntityType>: Sendable {
  @usableFromInline
  typealias Links = LinkList<Holder.EntityID>

  @usableFromInline
  var table: PersistentTable<EntryKeyed<Target.EntityID, LinkList<Holder.EntityID>>>

  @inlinable
  init() { table = PersistentTable() }

  @inlinable
  package func holders(of target: Target.EntityID) -> [Holder.EntityID] {
    table[target]?.value.ids ?? []
  }

  /// Returns the holders of a target for a map in memory that the caller keeps alive and
  /// unchanged.
  @inlinable
  @inline(__always)
  static func holders(of target: Target.EntityID, in map: UnsafePointer<Self>) -> [Holder.EntityID]
  {
    // The table is the only stored property of a map, so both have the same address.
    typealias Entries = PersistentTable<
      EntryKeyed<Target.EntityID, LinkList<Holder.EntityID>>
    >
    let entries = UnsafeRawPointer(map).assumingMemoryBound(to: Entries.self)
    guard let entry = Entries.address(of: target, in: entries) else { return [] }
    // Matched in place: a copied entry would be retained more than once.
    switch entry.pointee.value {
    case .few(let ids): return ids
    case .many(let ids): return ids.elements
    }
  }

  @inlinable
  package mutating func link(_ holder: Holder.EntityID, to target: Target.EntityID) {
    if table.update(target, { $0.value.insert(holder) }) == nil {
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

  func holderCount(of target: Target.EntityID) -> Int { table[target]?.value.count ?? 0 }

  /// The IDs of all referenced entities.
  var targets: [Target.EntityID] { table.map(\.key) }
}
