import EntiaDatabase

/// The expected effects of removing some rows, computed from the rules and all rows.
private struct ExpectedRemoval {
  var removed: Set<RowKey> = []
  var nullified: Set<RowKey> = []
  /// The expected violations: removed entities that a remaining holder must not lose, and lists
  /// that lose too many targets.
  var denied: Set<String> = []
}

extension LawStep {
  /// Checks law 15.
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
    _ copy: Storage, from start: StorageImage, _ expected: ExpectedRemoval, _ order: [RowKey]
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

  private func expectedRemoval(of chosen: [RowKey]) -> ExpectedRemoval {
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
    _ relationship: RelationshipHandle<Storage>, _ rows: [RowKey: AnyRow], _ removed: Set<RowKey>
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
    _ relationship: RelationshipHandle<Storage>, _ rows: [RowKey: AnyRow], _ removed: Set<RowKey>
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
    of key: RowKey, _ relationship: RelationshipHandle<Storage>, _ rows: [RowKey: AnyRow]
  ) -> [RowKey] {
    let contents = storage.snapshot.contents
    return rows.values.filter {
      $0.key.entity == relationship.holder && relationship.targets(contents, $0).contains(key)
    }.map(\.key)
  }
}
