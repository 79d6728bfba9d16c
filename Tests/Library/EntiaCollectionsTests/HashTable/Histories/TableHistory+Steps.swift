import EntiaCollections

extension TableHistory {
  /// Takes a step in the table and in the model.
  /// - Returns: how the two differ in what they said, or `nil`.
  mutating func take(_ step: TableStep) -> String? {
    let version = step.version
    let value = step.value % universe
    var problem: String?
    switch step.kind {
    case .insert: problem = insert(freshRow(value), version)
    case .insertEqual:
      let entry = models[version].entries[value]
      problem = insert(entry.isThere ? row(value, look: entry.look) : freshRow(value), version)
    case .updateOrInsert:
      let row = freshRow(value)
      problem = differs(tables[version].updateOrInsert(row), models[version].entries[value])
      note(row, version)
    case .update, .failingUpdate:
      problem = update(freshRow(value), version, fails: step.kind == .failingUpdate)
    case .replace:
      let row = freshRow(value)
      let entry = models[version].entries[value]
      problem = differs(tables[version].replace(row), entry)
      if entry.isThere { note(row, version) }
    case .replaceSlot: problem = replaceSlot(freshRow(value), version)
    case .remove: problem = remove(value, version)
    case .removeAll:
      tables[version].removeAll()
      models[version].removeAll()
    case .reserve: tables[version].reserveCapacity(step.amount)
    case .rebuild:
      let row = freshRow(value)
      tables[version] = Table(Array(tables[version]) + [row])
      note(row, version)
    case .copy:
      tables[step.amount % Self.versions] = tables[version]
      models[step.amount % Self.versions] = models[version]
    case .walk:
      walk = Walk(
        iterator: tables[version].makeIterator(), model: models[version],
        rest: models[version].order[...])
    case .fill:
      for offset in 0..<step.amount where problem == nil {
        problem = insert(freshRow((value + offset) % universe), version)
      }
    case .drain:
      for offset in 0..<step.amount where problem == nil {
        problem = remove((value + offset) % universe, version)
      }
    }
    return problem ?? walkOn() ?? glance(version, value)
  }

  private mutating func note(_ row: Row, _ version: Int) {
    models[version].store(row.key.value, look: row.look, serial: row.serial ?? 0)
  }

  private mutating func insert(_ row: Row, _ version: Int) -> String? {
    let entry = models[version].entries[row.key.value]
    switch tables[version].insert(row) {
    case .inserted:
      if entry.isThere { return "inserted what is there" }
    case .replaced(let old):
      if let problem = differs(old, entry) { return problem }
      if entry.look == row.look { return "replaced an equal row" }
    case .unchanged:
      return entry.look == row.look ? nil : "left a different row unchanged"
    }
    note(row, version)
    return nil
  }

  private mutating func update(_ row: Row, _ version: Int, fails: Bool) -> String? {
    let entry = models[version].entries[row.key.value]
    var seen: Row?
    let result: Bool?
    do {
      result = try tables[version].update(row.key) { stored throws(ProofError) in
        seen = stored
        stored = row
        if fails { throw ProofError(look: row.look) }
        return true
      }
    } catch {
      result = error == ProofError(look: row.look) ? true : nil
    }
    if (result == true) != entry.isThere { return "update returned \(String(describing: result))" }
    if entry.isThere { note(row, version) }
    return differs(seen, entry)
  }

  private mutating func replaceSlot(_ row: Row, _ version: Int) -> String? {
    let (slot, owned) = tables[version].locate(row.key)
    let entry = models[version].entries[row.key.value]
    if (slot >= 0) != entry.isThere { return "slot \(slot)" }
    if slot < 0 { return nil }
    let old = tables[version].element(at: slot)
    if let owned {
      owned.pointee = row
    } else {
      tables[version].replaceShared(at: slot, by: row)
    }
    note(row, version)
    return differs(old, entry)
  }

  private mutating func remove(_ value: Int, _ version: Int) -> String? {
    let problem = differs(tables[version].remove(key(value)), models[version].entries[value])
    models[version].remove(value)
    return problem
  }

  /// Moves the iterator on by one row.
  private mutating func walkOn() -> String? {
    guard walk != nil else { return nil }
    let row = walk?.iterator.next()
    guard let value = walk?.rest.popFirst() else {
      walk = nil
      return row == nil ? nil : "the iterator gave more rows than there were"
    }
    guard let row else { return "the iterator stopped early" }
    if row.key.value != value { return "the iterator gave \(row.key.value), not \(value)" }
    return walk.flatMap { differs(row, $0.model.entries[value]) }
  }

  /// How a row differs from what the model has.
  func differs(_ row: Row?, _ entry: TableModel.Entry) -> String? {
    guard let row else { return entry.isThere ? "a row is missing" : nil }
    if !entry.isThere { return "a row of key \(row.key.value) should not be there" }
    if row.look != entry.look { return "look \(row.look) instead of \(entry.look)" }
    if let serial = row.serial, serial != entry.serial {
      return "object \(serial) instead of \(entry.serial)"
    }
    return nil
  }
}
