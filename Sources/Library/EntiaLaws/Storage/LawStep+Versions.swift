import EntiaDatabase

extension LawStep {
  /// Checks law 2.
  func checkVersions() throws {
    for version in history.kept {
      try require(
        image(version.storage) == version.image, "a version kept earlier reads differently now")
    }
  }

  /// Checks law 3.
  func checkChanges() throws {
    let after = image(storage)
    for (old, oldImage) in history.kept + [(before, image(before))] {
      let changes = operations.changes(storage, old)
      let expected = after.transitions(from: oldImage)
      try requireSame(transitions(changes), expected, "changes(since:)")
      try requireEqual(changes.isEmpty, after.hasSameContent(as: oldImage), "isEmpty")
      try requireEqual(changes.isEmpty, old == storage, "no changes exactly when equal")
      // Observers of rows are looked up by these keys.
      let keys = operations.differingKeys(storage, old)
      try requireEqual(keys.isEmpty, changes.isEmpty, "isEmpty of the differing keys")
      try requireEqual(
        keys.keys.reduce(into: [:]) { $0[$1, default: 0] += 1 },
        parts.tables.flatMap { $0.keys(changes) }.reduce(into: [:]) { $0[$1, default: 0] += 1 },
        "the differing keys")
      let moved = Set(parts.tables.flatMap { $0.moved(changes) })
      let both = Set(after.content.keys).intersection(oldImage.content.keys)
      try require(moved.isSubset(of: both), "a row that is not in both versions is said to move")
      try requireEqual(
        changes.count, moved.union(expected.keys).count + after.heldChangeCount(since: oldImage),
        "count")
      if after.orders == oldImage.orders { try require(moved.isEmpty, "\(moved) did not move") }
      var applied = old
      try operations.apply(&applied, changes)
      try require(
        image(applied).hasSameContent(as: after), "the changes applied do not give the new version")
    }
  }

  /// Checks law 3 for composed and inverted change sets.
  func checkAlgebra() throws {
    guard let (first, firstImage) = history.kept.first else { return }
    let earlier = operations.changes(before, first)
    let later = operations.changes(storage, before)
    let whole = operations.changes(storage, first)
    let composed = operations.composed(earlier, later)
    try requireSame(transitions(composed), transitions(whole), "composed(with:)")
    try require(composed == whole, "composed changes are not == to the changes over both")
    var back = storage
    try operations.apply(&back, operations.inverted(whole))
    try require(
      image(back).hasSameContent(as: firstImage), "inverted changes do not lead back")
    var forth = first
    try operations.apply(&forth, composed)
    try require(
      image(forth).hasSameContent(as: image(storage)), "composed changes do not lead forth")
    try operations.apply(&forth, operations.inverted(composed))
    try require(
      image(forth).hasSameContent(as: firstImage), "inverted composed changes do not lead back")
    try requireSame(
      transitions(operations.inverted(operations.inverted(whole))), transitions(whole),
      "inverted twice")
    let nothing = operations.composed(whole, operations.inverted(whole))
    try require(nothing.isEmpty, "changes composed with their inverse say \(nothing)")
  }

  /// Checks law 5.
  func checkEquality(_ random: inout SeededGenerator) throws {
    let now = image(storage)
    for version in history.kept {
      let isEqual = version.image.hasSameContent(as: now)
      try requireEqual(operations.isEqual(storage, version.storage), isEqual, "== with an old one")
      try requireEqual(operations.isEqual(version.storage, storage), isEqual, "== of an old one")
    }
    var contents = storage.snapshot.contents
    for table in parts.tables {
      let rows = table.rows(contents)
      table.refill(&contents, table.isOrdered ? rows : rows.shuffled(using: &random))
    }
    var rebuilt = storage
    rebuilt.snapshot = Snapshot(rebuilding: contents)
    try require(operations.isEqual(rebuilt, storage), "the same rows in another order differ")
    for table in parts.tables where table.isOrdered && table.rows(contents).count > 1 {
      var reversed = contents
      table.refill(&reversed, table.rows(contents).reversed())
      rebuilt.snapshot = Snapshot(rebuilding: reversed)
      try require(!operations.isEqual(rebuilt, storage), "\(table.name) equals its reverse")
    }
    guard
      let table = parts.tables.filter({ !$0.rows(contents).isEmpty }).randomElement(using: &random)
    else { return }
    table.refill(&contents, Array(table.rows(contents).dropLast()))
    rebuilt.snapshot = Snapshot(rebuilding: contents)
    try require(!operations.isEqual(rebuilt, storage), "a row less in \(table.name) is equal")
  }
}
