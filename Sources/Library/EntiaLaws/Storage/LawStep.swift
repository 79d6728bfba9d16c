import EntiaDatabase

/// A step of a history at which a law is checked.
struct LawStep<Subject: LawSubject> {
  typealias Storage = Subject.Storage

  let history: StorageHistory<Subject>
  /// The version before the last batch.
  let before: Storage
  let parts: CheckedParts<Storage>
  let operations: StorageOperations<Storage>

  var storage: Storage { history.storage }

  func image(_ storage: Storage) -> StorageImage { StorageImage(of: storage, parts) }

  /// Returns the transitions that a change set lists in all tables.
  func transitions(_ changes: Storage.ChangeSet) -> [AnyRowID: TableHandle<Storage>.Transition] {
    parts.tables.reduce(into: [:]) { all, table in
      all.merge(table.transitions(changes), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Checks that the transitions in a change set equal the expected transitions.
  func requireSame(
    _ found: [AnyRowID: TableHandle<Storage>.Transition],
    _ expected: [AnyRowID: TableHandle<Storage>.Transition], _ what: String
  ) throws {
    for key in Set(found.keys).union(expected.keys) {
      guard let said = found[key] else { throw LawFailure("\(what): \(key) is not listed") }
      guard let truth = expected[key] else {
        throw LawFailure("\(what): \(key) is listed and did not change")
      }
      try require(
        said.old == truth.old && said.new == truth.new,
        "\(what): \(key) is listed with other content")
    }
  }

  /// Runs a random batch on a copy. Returns the new version, or `nil` if the batch was refused.
  func batch(
    on start: Storage, edits: Int, _ random: inout SeededGenerator
  ) throws -> Storage? {
    var copy = start
    do {
      try operations.perform(&copy) { context in
        for _ in 0..<edits { try Subject.edit(&context, using: &random) }
      }
      return copy
    } catch {
      return nil
    }
  }
}

/// The expected effects of removing some rows, computed from the rules and all rows.
private struct ExpectedRemoval {
  var removed: Set<AnyRowID> = []
  var nullified: Set<AnyRowID> = []
  /// The descriptions of the expected violations: a removed entity that still has holders, a list
  /// with too few targets, or an entity with too few holders.
  var denied: Set<String> = []
}

extension LawStep {
  /// Checks law 15: delete rules have exactly their specified effects, in any order of deletes.
  func checkDeletes(_ random: inout SeededGenerator) throws {
    let start = image(storage)
    let keys = start.tables.joined().map(\.key)
    guard !keys.isEmpty else { return }
    let chosen = Array(keys.shuffled(using: &random).prefix(1 + random.number(in: 0..<3)))
    let expected = expectedRemoval(of: chosen)
    for order in [chosen, chosen.reversed()] {
      var copy = storage
      do {
        try operations.perform(&copy) { context in
          for key in order { parts.table(of: key)?.remove(&context, key) }
        }
      } catch let error as BatchError {
        guard case .refused(let violations) = error else { throw error }
        try require(
          !expected.denied.isEmpty, "removing \(order) was refused without reason: \(error)")
        try requireEqual(
          Set(violations.map(\.description)), expected.denied, "who is named in the refusal")
        try require(image(copy) == start, "a refused removal left something")
        continue
      }
      try require(
        expected.denied.isEmpty, "removing \(order) should be refused: \(expected.denied)")
      try check(copy, from: start, expected, order)
    }
  }

  private func check(
    _ copy: Storage, from start: StorageImage, _ expected: ExpectedRemoval, _ order: [AnyRowID]
  ) throws {
    let changes = image(copy).transitions(from: start)
    let removed = Set(changes.filter { $0.value.new == nil }.keys)
    let updated = Set(changes.filter { $0.value.old != nil && $0.value.new != nil }.keys)
    try requireEqual(removed, expected.removed, "removing \(order) removes")
    try requireEqual(updated, expected.nullified, "removing \(order) changes")
    let contents = copy.snapshot.contents
    for relationship in parts.relationships
    where [.cascade, .nullify].contains(relationship.onDelete(contents)) {
      for key in removed where key.entity == relationship.target {
        let holders = relationship.holders(contents, key)
        try require(holders.isEmpty, "\(relationship.name): \(holders) still name \(key)")
      }
    }
  }

  private func expectedRemoval(of chosen: [AnyRowID]) -> ExpectedRemoval {
    let contents = storage.snapshot.contents
    let rows = image(storage).content
    var result = ExpectedRemoval()
    var pending = chosen
    while let key = pending.popLast() {
      guard let row = rows[key], result.removed.insert(key).inserted else { continue }
      for relationship in parts.relationships {
        if relationship.target == key.entity, relationship.onDelete(contents) == .cascade {
          pending += holders(of: key, relationship, rows)
        }
        if relationship.holder == key.entity, relationship.onHolderDelete(contents) == .cascade {
          pending += relationship.targets(contents, row)
        }
      }
    }
    for relationship in parts.relationships {
      let short = listsTooShort(relationship, rows, result.removed)
      result.denied.formUnion(short.map(\.description))
      let targets = targetsWithTooFewHolders(relationship, rows, result.removed)
      result.denied.formUnion(targets.map(\.description))
      for key in result.removed where key.entity == relationship.target {
        let staying = holders(of: key, relationship, rows).filter { !result.removed.contains($0) }
        switch relationship.onDelete(contents) {
        case .nullify: result.nullified.formUnion(staying)
        case .deny where !staying.isEmpty:
          let ordered = relationship.holders(contents, key).filter { staying.contains($0) }
          let violation = BatchViolation.deniedDelete(
            key.label, relationship: relationship.name, holders: ordered.map(\.label))
          result.denied.insert(violation.description)
        default: break
        }
      }
    }
    return result
  }

  /// Returns the violations of lists that have too few targets after the removal.
  private func listsTooShort(
    _ relationship: RelationshipHandle<Storage>, _ rows: [AnyRowID: AnyRow],
    _ removed: Set<AnyRowID>
  ) -> [BatchViolation] {
    let contents = storage.snapshot.contents
    let limits = relationship.countLimits(contents)
    guard limits != .any, relationship.onDelete(contents) == .nullify else { return [] }
    return rows.values.compactMap { row in
      guard row.key.entity == relationship.holder, !removed.contains(row.key) else { return nil }
      let targets = relationship.targets(contents, row)
      let count = targets.count { !removed.contains($0) }
      if count == targets.count || limits.allow(count) { return nil }
      return .wrongCount(
        row.key.label, relationship: relationship.name, count: count, limits: limits)
    }
  }

  /// Returns the violations of entities that too few holders reference after the removal.
  private func targetsWithTooFewHolders(
    _ relationship: RelationshipHandle<Storage>, _ rows: [AnyRowID: AnyRow],
    _ removed: Set<AnyRowID>
  ) -> [BatchViolation] {
    let limits = relationship.holderLimits(storage.snapshot.contents)
    guard limits != .any else { return [] }
    return rows.keys.compactMap { key in
      guard key.entity == relationship.target, !removed.contains(key) else { return nil }
      let holders = holders(of: key, relationship, rows)
      let count = holders.count { !removed.contains($0) }
      if count == holders.count || limits.allow(count) { return nil }
      return .wrongHolderCount(
        key.label, relationship: relationship.name, count: count, limits: limits)
    }
  }

  private func holders(
    of key: AnyRowID, _ relationship: RelationshipHandle<Storage>, _ rows: [AnyRowID: AnyRow]
  ) -> [AnyRowID] {
    let contents = storage.snapshot.contents
    return rows.values.filter {
      $0.key.entity == relationship.holder && relationship.targets(contents, $0).contains(key)
    }.map(\.key)
  }
}

extension LawStep {
  /// Checks law 13 for indexes: they equal newly built indexes in this version, in the kept
  /// versions, after applying change sets, and during a batch.
  func checkIndexes(_ random: inout SeededGenerator) throws {
    try requireIndexes(of: storage, "after a batch")
    for version in history.kept { try requireIndexes(of: version, "in an old version") }
    let changes = operations.changes(storage, before)
    var copy = before
    try operations.apply(&copy, changes)
    try requireIndexes(of: copy, "after applying changes")
    try operations.apply(&copy, operations.inverted(changes))
    try requireIndexes(of: copy, "after applying inverted changes")
    var failure: (any Error)?
    do {
      copy = storage
      try operations.perform(&copy) { context in
        for _ in 0..<3 {
          try Subject.edit(&context, using: &random)
          do {
            try requireIndexes(in: context)
          } catch {
            failure = failure ?? error
          }
        }
      }
    } catch {
      // The batch may be refused. Law 8 checks that a refused batch changes nothing.
    }
    if let failure { throw failure }
  }

  private func requireIndexes(of storage: Storage, _ moment: String) throws {
    let contents = storage.snapshot.contents
    let rows = parts.tables.flatMap { $0.rows(contents) }
    for index in parts.indexes {
      let mismatches = index.mismatches(contents, rows)
      try require(mismatches.isEmpty, "\(index.name) \(moment): \(mismatches)")
    }
  }

  private func requireIndexes(in context: borrowing BatchContext<Storage>) throws {
    var rows: [AnyRow] = []
    for table in parts.tables { rows += table.stagedRows(context) }
    for index in parts.indexes {
      let mismatches = index.stagedMismatches(context, rows)
      try require(mismatches.isEmpty, "\(index.name) inside a batch: \(mismatches)")
    }
  }
}

extension LawStep {
  /// Checks law 2: the contents of a kept version never change.
  func checkVersions() throws {
    for (version, image) in zip(history.kept, history.images) {
      try require(self.image(version) == image, "a version kept earlier reads differently now")
    }
  }

  /// Checks law 3: changes applied to an old version result in the current version. The changes
  /// list only what differs between the two versions.
  func checkChanges() throws {
    let after = image(storage)
    for (old, oldImage) in zip(history.kept + [before], history.images + [image(before)]) {
      let changes = operations.changes(storage, old)
      let expected = after.transitions(from: oldImage)
      try requireSame(transitions(changes), expected, "changes(since:)")
      try requireEqual(changes.isEmpty, after.hasSameContent(as: oldImage), "isEmpty")
      try requireEqual(changes.isEmpty, old == storage, "no changes exactly when equal")
      // Observers of rows are looked up under these keys.
      let keys = operations.differingKeys(storage, old)
      try requireEqual(keys.isEmpty, changes.isEmpty, "isEmpty of the differing keys")
      let reordered = parts.tables.map { DifferingKeys.Key.order($0.entity) }
      let listed = keys.keys.filter { !reordered.contains($0) }
      let expectedKeys = parts.tables.flatMap { $0.keys(changes) }
      try requireEqual(counts(of: listed), counts(of: expectedKeys), "the differing keys")
      try checkReordered(keys, since: old)
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

  /// Returns how often each key occurs.
  private func counts(of keys: [DifferingKeys.Key]) -> [DifferingKeys.Key: Int] {
    keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Checks law 3 for each table in which only the order of the rows changed, because rows were
  /// removed and inserted again. The differing keys must contain the key `order` of the table,
  /// because observers read the rows in order.
  private func checkReordered(_ keys: DifferingKeys, since old: Storage) throws {
    for table in parts.tables where !table.isOrdered {
      if keys.keys.contains(.table(table.entity)) { continue }
      let (then, now) = (table.rows(old.snapshot.contents), table.rows(storage.snapshot.contents))
      if then.map(\.key) == now.map(\.key) { continue }
      try require(
        keys.keys.contains(.order(table.entity)), "another order of \(table.name) is not listed")
    }
  }

  /// Checks law 3 for composed and inverted change sets.
  func checkAlgebra() throws {
    guard let first = history.kept.first, let firstImage = history.images.first else { return }
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

  /// Checks law 5: equal content is equal, regardless of the history and the order.
  func checkEquality(_ random: inout SeededGenerator) throws {
    let now = image(storage)
    for (version, image) in zip(history.kept, history.images) {
      let isEqual = image.hasSameContent(as: now)
      try requireEqual(operations.isEqual(storage, version), isEqual, "== with an old one")
      try requireEqual(operations.isEqual(version, storage), isEqual, "== of an old one")
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
