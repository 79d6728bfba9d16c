import EntiaCollections

extension LinkMap {
  /// Updates the links for a changed list of a holder. Most changes are small: the common prefix
  /// and suffix are only compared, and a few IDs are searched for without hashing a list.
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
    // Compared with the whole lists: a list may contain an ID twice, and a moved ID is in both
    // ranges.
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
