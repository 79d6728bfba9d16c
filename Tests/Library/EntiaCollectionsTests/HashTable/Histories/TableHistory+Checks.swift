import EntiaCollections

extension TableHistory {
  /// Looks at what a step is most likely to have broken.
  func glance(_ version: Int, _ value: Int) -> String? {
    let table = tables[version]
    let model = models[version]
    if table.count != model.count { return "count \(table.count) instead of \(model.count)" }
    return differs(table[key(value)], model.entries[value])
  }

  /// Checks everything about every version, and what each two say of each other.
  func check() -> String? {
    for version in 0..<Self.versions {
      if let problem = check(version) { return "version \(version): \(problem)" }
    }
    for old in 0..<Self.versions {
      for new in 0..<Self.versions {
        if let problem = compare(old, new) { return "version \(new) from \(old): \(problem)" }
      }
    }
    return nil
  }

  /// Checks everything about a version.
  func check(_ version: Int) -> String? {
    let table = tables[version]
    let model = models[version]
    if table.count != model.count { return "count \(table.count) instead of \(model.count)" }
    if table.isEmpty != (model.count == 0) { return "isEmpty is wrong" }
    for value in stride(from: 0, to: universe, by: model.count == 0 ? universe / 8 + 1 : 1) {
      let entry = model.entries[value]
      if let problem = differs(table[key(value)], entry) { return "key \(value): \(problem)" }
      if table.contains(key(value)) != entry.isThere { return "key \(value): contains is wrong" }
    }
    return checkManyKeys(table, model) ?? checkOrder(table, model) ?? table.invariantViolations()
      .first
      ?? table.structureProblem()
  }

  /// Looks up all keys at once, out of order, present or not.
  private func checkManyKeys(_ table: Table, _ model: TableModel) -> String? {
    let values = (0..<universe).map { ($0 &* 7) % universe }
    let expected = values.filter { model.entries[$0].isThere }
    let keys = values.map(key)
    for found in [table.elements(of: keys), table.elements(of: keys.lazy.map { $0 })] {
      if found.map(\.key.value) != expected { return "many keys: \(found.count) rows" }
      for row in found {
        if let problem = differs(row, model.entries[row.key.value]) {
          return "many keys: key \(row.key.value): \(problem)"
        }
      }
    }
    return checkNextKeys(table, model, keys)
  }

  /// Looks up the keys group by group, and groups that begin at each of the last keys.
  private func checkNextKeys(_ table: Table, _ model: TableModel, _ keys: [ProofKey]) -> String? {
    typealias Group = NextElements<Row>
    let starts = Array(stride(from: 0, to: keys.count, by: Group.capacity))
    for start in starts + keys.indices.suffix(Group.capacity) {
      let problem: String? = withUnsafePointer(to: table) { table in
        var group = keys.withUnsafeBufferPointer {
          Table.nextElements($0, from: start, in: table)
        }
        for key in keys[start...].prefix(Group.capacity) {
          let row = group.removeFirst()?.pointee
          if let problem = differs(row, model.entries[key.value]) { return "\(key): \(problem)" }
        }
        return nil
      }
      if let problem { return "next keys from \(start): key \(problem)" }
    }
    return nil
  }

  private func checkOrder(_ table: Table, _ model: TableModel) -> String? {
    let order = model.order
    var position = 0
    for row in table {
      guard position < order.count else { return "the iterator gives too many rows" }
      if row.key.value != order[position] {
        return "iterator: key \(row.key.value) at \(position) instead of \(order[position])"
      }
      if let problem = differs(row, model.entries[order[position]]) {
        return "iterator: \(problem) at \(position)"
      }
      position += 1
    }
    if position != order.count { return "the iterator gives \(position) rows" }
    var visited = 0
    var wrong: Int?
    func visit(_ row: Row) {
      if visited >= order.count || row.key.value != order[visited] { wrong = wrong ?? visited }
      visited += 1
    }
    table.forEach(visit)
    if let wrong { return "forEach: the wrong row at \(wrong)" }
    return visited == order.count ? nil : "forEach gives \(visited) rows"
  }

  /// Checks equality and differences of two versions.
  func compare(_ old: Int, _ new: Int) -> String? {
    let areEqual = models[old].hasEqualContent(models[new])
    if (tables[old] == tables[new]) != areEqual { return "== is \(!areEqual)" }
    if tables[old].isIdentical(to: tables[new]), !areEqual { return "wrongly identical" }
    let expected = models[new].differences(from: models[old])
    let found = tables[new].differences(from: tables[old]).map(ProofDifference.init)
    if found == expected { return nil }
    let place = zip(found, expected).prefix { $0 == $1 }.count
    return
      "\(found.count) differences instead of \(expected.count), the first wrong one at \(place)"
  }

  /// Checks that exactly those objects live that a version still has.
  func checkLifetimes() -> String? {
    var expected: Set<Int> = []
    for model in models + (walk.map { [$0.model] } ?? []) {
      for entry in model.entries where entry.serial > 0 { expected.insert(entry.serial) }
    }
    if census.living == expected.count { return nil }
    return "\(census.living) objects live instead of \(expected.count)"
  }
}

extension ProofDifference {
  init<Row: ProofRow>(_ difference: TableDifference<Row>) {
    switch difference {
    case .inserted(let row): self.init(value: row.key.value, old: -1, new: row.look)
    case .updated(let old, let new):
      self.init(value: old.key == new.key ? new.key.value : -1, old: old.look, new: new.look)
    case .removed(let row): self.init(value: row.key.value, old: row.look, new: -1)
    }
  }
}
