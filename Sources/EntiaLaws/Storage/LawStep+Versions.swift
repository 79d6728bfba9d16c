import EntiaDatabase

extension LawStep {
  /// Law 2.
  func checkVersions() throws {
    for version in history.kept {
      try require(
        image(version.storage) == version.image, "a version kept earlier reads differently now")
    }
  }

  /// Law 3.
  func checkChanges() throws {
    let after = image(storage)
    for (old, oldImage) in history.kept + [(before, image(before))] {
      let changes = operations.changes(storage, old)
      let expected = after.transitions(from: oldImage)
      try requireSame(transitions(changes), expected, "changes(since:)")
      try requireEqual(changes.isEmpty, expected.isEmpty, "isEmpty")
      try requireEqual(changes.isEmpty, old == storage, "no changes exactly when equal")
      try requireEqual(changes.count, expected.count, "count")
      var applied = old
      try operations.apply(&applied, changes)
      try require(
        image(applied).content == after.content, "the changes applied do not give the new version")
    }
  }

  /// Law 3, on what change sets can be made into.
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
      image(back).content == firstImage.content, "inverted changes do not lead back")
    try requireSame(
      transitions(operations.inverted(operations.inverted(whole))), transitions(whole),
      "inverted twice")
    let nothing = operations.composed(whole, operations.inverted(whole))
    try require(nothing.isEmpty, "changes composed with their inverse say \(nothing)")
  }

  /// Law 5.
  func checkEquality(_ random: inout SeededGenerator) throws {
    let content = image(storage).content
    for version in history.kept {
      let isEqual = version.image.content == content
      try requireEqual(operations.isEqual(storage, version.storage), isEqual, "== with an old one")
      try requireEqual(operations.isEqual(version.storage, storage), isEqual, "== of an old one")
    }
    var contents = storage.snapshot.contents
    for table in parts.tables {
      table.refill(&contents, table.rows(contents).shuffled(using: &random))
    }
    var rebuilt = storage
    rebuilt.snapshot = Snapshot(contents)
    try require(operations.isEqual(rebuilt, storage), "the same rows in another order differ")
    guard
      let table = parts.tables.filter({ !$0.rows(contents).isEmpty }).randomElement(using: &random)
    else { return }
    table.refill(&contents, Array(table.rows(contents).dropLast()))
    rebuilt.snapshot = Snapshot(contents)
    try require(!operations.isEqual(rebuilt, storage), "a row less in \(table.name) is equal")
  }
}
