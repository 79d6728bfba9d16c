import EntiaDatabase

/// Two versions of a database, and their common ancestor.
private struct Forks<Storage: NormalizedStorageType> {
  let base: Storage
  let mine: Storage
  let theirs: Storage
}

extension LawStep {
  /// Checks law 40: change sets and merges between two forks either cause only defects that one of
  /// the versions already had, or are refused and change nothing. A merge is refused only because
  /// of what it would break.
  func checkForeignWrites(_ random: inout SeededGenerator) throws {
    let forks = try makeForks(&random)
    let changes = operations.changes(forks.theirs, forks.base)
    if let applied = try requireSound(changes, on: forks.mine, leadingTo: forks.theirs) {
      let again = try requireSound(changes, on: applied, leadingTo: forks.theirs)
      try require(
        again.map { operations.isEqual($0, applied) } == true, "applied twice, it differs")
      let back = operations.inverted(operations.changes(forks.mine, forks.base))
      _ = try requireSound(back, on: applied, leadingTo: forks.base)
    }
    for choice in [MergeChoice.mine, .theirs, .refuse] {
      let merged: MergeResult<Storage>
      do {
        merged = try operations.merge(forks.mine, forks.theirs, forks.base, choice)
      } catch {
        try requireReason(for: error, in: forks)
        continue
      }
      try requireNoNewIssues(
        merged.storage, of: [forks.mine, forks.theirs], "merging by \(choice)")
    }
  }

  /// Requires that a refused merge has a reason. Each row in a `MergeError` was changed by both
  /// sides. Each reference in a `BatchError` dangles on neither side.
  private func requireReason(for error: any Error, in forks: Forks<Storage>) throws {
    if let error = error as? MergeError {
      func changed(_ version: Storage) -> Set<EntityLabel> {
        Set(transitions(operations.changes(version, forks.base)).keys.map(\.label))
      }
      let both = changed(forks.mine).intersection(changed(forks.theirs))
      let entities = error.conflicts.map(\.entity)
      try require(
        !entities.isEmpty && both.isSuperset(of: entities), "a merge is refused without a conflict")
    }
    guard case BatchError.refused(let violations) = error else { return }
    let known = Set([forks.mine, forks.theirs].flatMap { operations.verify($0) })
    for violation in violations {
      let references: [VerificationIssue] =
        switch violation {
        case .deniedDelete(let target, let relationship, let holders):
          holders.map { .danglingReference($0, relationship: relationship, target: target) }
        case .missingReference(let holder, let relationship, let target):
          [.danglingReference(holder, relationship: relationship, target: target)]
        default: []
        }
      try require(
        known.isDisjoint(with: references), "a merge is refused for what a side has: \(violation)")
    }
  }

  /// Checks law 41: a merge of two forks has the changes of both, in an order that keeps neighbors
  /// together.
  func checkMerges(_ random: inout SeededGenerator) throws {
    let forks = try makeForks(&random)
    let (base, mine, theirs) = (forks.base, forks.mine, forks.theirs)
    for (one, other, what) in [
      (mine, base, "a fork that nothing is merged into"),
      (base, mine, "a fork merged into its base"),
      (mine, mine, "a fork merged into itself"),
    ] {
      guard let merged = merged(one, other, base, .refuse) else {
        throw LawFailure("\(what) is refused")
      }
      try require(operations.isEqual(merged.storage, mine), "\(what) is another")
    }
    for (choice, mirrored) in [
      (MergeChoice.refuse, MergeChoice.refuse), (.mine, .theirs),
      (.theirs, .mine),
    ] {
      let forward = merged(mine, theirs, base, choice)
      let backward = merged(theirs, mine, base, mirrored)
      guard let forward, let backward else {
        try require(forward == nil && backward == nil, "a merge is refused one way only")
        continue
      }
      try require(
        image(forward.storage).content == image(backward.storage).content,
        "merges both ways by \(choice) have other rows")
      try requireOrder(of: forward, Forks(base: base, mine: mine, theirs: theirs))
      try requireOrder(of: backward, Forks(base: base, mine: theirs, theirs: mine))
    }
  }

  /// Returns the version before the last batch as the base, and two versions that continue
  /// separately from the base.
  private func makeForks(_ random: inout SeededGenerator) throws -> Forks<Storage> {
    func fork() throws -> Storage {
      var storage = before
      for _ in 0...random.number(in: 0..<3) {
        if let next = try batch(on: storage, edits: 2, &random) { storage = next }
      }
      return storage
    }
    return Forks(base: before, mine: try fork(), theirs: try fork())
  }

  /// Applies changes, and requires that they either cause no new issue, or are refused and change
  /// nothing.
  /// - Returns: The version with the changes, or `nil` if they were refused.
  private func requireSound(
    _ changes: Storage.ChangeSet, on start: Storage, leadingTo end: Storage
  ) throws -> Storage? {
    var result = start
    do {
      try operations.apply(&result, changes)
    } catch {
      try require(operations.isEqual(result, start), "something is left of refused changes")
      return nil
    }
    try requireNoNewIssues(result, of: [start, end], "applying changes")
    return result
  }

  private func merged(
    _ mine: Storage, _ theirs: Storage, _ base: Storage, _ choice: MergeChoice
  ) -> MergeResult<Storage>? {
    do { return try operations.merge(mine, theirs, base, choice) } catch { return nil }
  }

  func requireNoNewIssues(
    _ storage: Storage, of sources: [Storage], _ what: String
  ) throws {
    let contents = storage.snapshot.contents
    let tolerant = Set(
      parts.relationships.filter { $0.onDelete(contents) == .keepDangling }.map(\.name))
    let known = Set(sources.flatMap { operations.verify($0) })
    let fresh = operations.verify(storage).filter { issue in
      if case .danglingReference(_, let relationship, _) = issue, tolerant.contains(relationship) {
        return false
      }
      return !known.contains(issue)
    }
    try require(fresh.isEmpty, "\(what) leaves \(fresh)")
  }

  /// Compares the order of every ordered table with an expected order that is computed row by row.
  /// Rows that neither side placed keep their order. Between two such rows are the rows that `mine`
  /// placed there, followed by the rows that `theirs` placed there. A row whose conflict was
  /// resolved by `mine` keeps its position in `mine`.
  private func requireOrder(of merged: MergeResult<Storage>, _ forks: Forks<Storage>) throws {
    let kept = Set(merged.conflicts.filter { $0.outcome == .mine }.map(\.entity))
    let mine = operations.changes(forks.mine, forks.base)
    let theirs = operations.changes(forks.theirs, forks.base)
    func keys(_ table: TableHandle<Storage>, _ storage: Storage) -> [AnyRowID] {
      table.rows(storage.snapshot.contents).map(\.key)
    }
    for table in parts.tables where table.isOrdered {
      let old = keys(table, forks.base)
      let (first, second) = (keys(table, forks.mine), keys(table, forks.theirs))
      let keptFromMine = Set(first.filter { kept.contains($0.label) })
      let placedInTheirs = Set(second).subtracting(Set(old).intersection(first))
        .union(table.moved(theirs))
      let placedByTheirs = placedInTheirs.subtracting(keptFromMine)
      let stable = Set(old).intersection(first).intersection(second)
        .subtracting(placedInTheirs).subtracting(table.moved(mine))
      let placedByMine = Set(first).subtracting(old).union(table.moved(mine)).union(keptFromMine)
        .subtracting(placedByTheirs).subtracting(stable)
      let firstGaps = gaps(of: first, placed: placedByMine, stable)
      let secondGaps = gaps(of: second, placed: placedByTheirs, stable)
      var expected = firstGaps[nil, default: []] + secondGaps[nil, default: []]
      for key in old where stable.contains(key) {
        expected.append(key)
        expected += firstGaps[key, default: []] + secondGaps[key, default: []]
      }
      let found = keys(table, merged.storage)
      let remaining = Set(found)
      try requireEqual(
        found, expected.filter(remaining.contains), "the merged order of \(table.name)")
    }
  }

  /// Returns the groups of placed rows between stable rows. The key of a group is the stable row
  /// before the group, or `nil` for the beginning of the table.
  private func gaps(
    of keys: [AnyRowID], placed: Set<AnyRowID>, _ stable: Set<AnyRowID>
  ) -> [AnyRowID?: [AnyRowID]] {
    var gaps: [AnyRowID?: [AnyRowID]] = [:]
    var last: AnyRowID?
    for key in keys {
      if stable.contains(key) {
        last = key
      } else if placed.contains(key) {
        gaps[last, default: []].append(key)
      }
    }
    return gaps
  }
}
