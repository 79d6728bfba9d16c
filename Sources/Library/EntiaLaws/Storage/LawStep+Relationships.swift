import EntiaDatabase

extension LawStep {
  /// Returns the holders of every target, computed from all rows.
  private func scan(
    _ relationship: RelationshipHandle<Storage>, _ storage: Storage
  ) -> [AnyRowID: Set<AnyRowID>] {
    let contents = storage.snapshot.contents
    var result: [AnyRowID: Set<AnyRowID>] = [:]
    for table in parts.tables where table.entity == relationship.holder {
      for row in table.rows(contents) {
        for target in relationship.targets(contents, row) {
          result[target, default: []].insert(row.key)
        }
      }
    }
    return result
  }

  /// Checks law 13 for relationships: their reverse maps equal newly built ones.
  func checkLinks() throws {
    let contents = storage.snapshot.contents
    let rebuilt = Snapshot(contents).contents
    for relationship in parts.relationships {
      let targets = relationship.linkedTargets(contents)
      try requireEqual(
        Set(targets), Set(relationship.linkedTargets(rebuilt)), "\(relationship.name): targets")
      for target in targets {
        try requireEqual(
          Set(relationship.holders(contents, target)), Set(relationship.holders(rebuilt, target)),
          "\(relationship.name): the holders of \(target), against those rebuilt")
      }
    }
    let defects = operations.verify(storage).filter {
      switch $0 {
      case .danglingReference, .wrongCount, .wrongHolderCount: false
      default: true
      }
    }
    try require(defects.isEmpty, "verify() finds \(defects)")
  }

  /// Checks law 14: both ends of each relationship agree.
  func checkEnds() throws {
    let contents = storage.snapshot.contents
    for relationship in parts.relationships {
      let scanned = scan(relationship, storage)
      let linked = relationship.linkedTargets(contents)
      try requireEqual(Set(linked), Set(scanned.keys), "\(relationship.name): who is named")
      for (target, holders) in scanned {
        let found = relationship.holders(contents, target)
        try requireEqual(Set(found), holders, "\(relationship.name): the holders of \(target)")
        try requireEqual(
          found.count, holders.count, "\(relationship.name): each holder of \(target) once")
      }
    }
  }

  /// Checks law 16 for counts. Rows of the initial database may violate the limits as long as they
  /// are unchanged.
  func checkCounts() throws {
    let contents = storage.snapshot.contents
    let start = image(Subject.makeStorage()).content
    var expected: Set<VerificationIssue> = []
    for relationship in parts.relationships {
      let limits = relationship.countLimits(contents)
      for table in parts.tables where table.entity == relationship.holder {
        for row in table.rows(contents) {
          let count = relationship.targets(contents, row).count
          if limits.allow(count) { continue }
          try require(
            start[row.key] == row,
            "\(relationship.name) of \(row) names \(count), where \(limits) must be named")
          expected.insert(
            .wrongCount(
              row.key.label, relationship: relationship.name, count: count, limits: limits))
        }
      }
      expected.formUnion(try wrongHolderCounts(relationship, start))
    }
    let found = operations.verify(storage).filter {
      switch $0 {
      case .wrongCount, .wrongHolderCount: true
      default: false
      }
    }
    try requireEqual(Set(found), expected, "verify()")
  }

  /// Returns an issue for each entity that too few or too many holders reference. Throws a failure
  /// if such an entity has changed since the beginning of the history.
  private func wrongHolderCounts(
    _ relationship: RelationshipHandle<Storage>, _ start: [AnyRowID: AnyRow]
  ) throws -> Set<VerificationIssue> {
    let contents = storage.snapshot.contents
    let limits = relationship.holderLimits(contents)
    if limits == .any { return [] }
    let scanned = scan(relationship, storage)
    var issues: Set<VerificationIssue> = []
    for table in parts.tables where table.entity == relationship.target {
      for row in table.rows(contents) {
        let count = scanned[row.key]?.count ?? 0
        if limits.allow(count) { continue }
        try require(
          start[row.key] == row,
          "\(count) rows refer to \(row) through \(relationship.name), which requires \(limits)")
        issues.insert(
          .wrongHolderCount(
            row.key.label, relationship: relationship.name, count: count, limits: limits))
      }
    }
    return issues
  }

  /// Checks law 17: verification lists exactly the dangling references.
  func checkDangling() throws {
    let contents = storage.snapshot.contents
    var expected: [VerificationIssue: Int] = [:]
    for relationship in parts.relationships {
      for (target, holders) in scan(relationship, storage)
      where parts.table(of: target)?.find(contents, target) == nil {
        for holder in holders {
          let row = parts.table(of: holder)?.find(contents, holder)
          let mentions = row.map { relationship.targets(contents, $0).count { $0 == target } } ?? 0
          let issue = VerificationIssue.danglingReference(
            holder.label, relationship: relationship.name, target: target.label)
          expected[issue, default: 0] += mentions
        }
      }
    }
    let dangling = operations.verify(storage).filter {
      if case .danglingReference = $0 { true } else { false }
    }
    let found = dangling.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    try requireEqual(found, expected, "verify()")
  }
}
