// Rows whose ID column has another ID than their members, because another program has changed the
// members, or because other members were the ID when the rows were saved.
extension PartTable {
  /// Sets the ID of each row to that of its members. Otherwise, an element could be found in the
  /// row of another element, whose ID column has the ID of the first.
  ///
  /// If two rows have the same ID in their members, one of them keeps its ID.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func correctIDs<Element>(_ coding: any ElementCoding<Element>) throws(SQLiteFailure) {
    var moved: [(old: StoredValue, new: StoredValue)] = []
    var kept: Set<StoredValue> = []
    let decoder = RowDecoder(members: members)
    try forEachRow { row, idColumn in
      let id = row.value(at: idColumn)
      decoder.begin(row)
      do {
        let element = try coding.decode(decoder, idColumn: idColumn)
        if coding.storedKey(of: id) != coding.key(of: element) {
          return moved.append((id, try coding.idForm(of: element, encoder)))
        }
      } catch {
        // A row that cannot be decoded keeps its ID.
      }
      kept.insert(id)
    }
    // A row that keeps its ID may have the new ID of a third row, which then keeps its own, too.
    var count = -1
    while count != moved.count {
      count = moved.count
      var taken = kept
      moved.removeAll { row in
        if taken.insert(row.new).inserted { return false }
        kept.insert(row.old)
        return true
      }
    }
    hasOtherIDs = false
    if moved.isEmpty { return }
    hasRestoredRows = true
    try rename(moved, besides: kept)
  }

  /// Changes the IDs of rows. A member that was the ID keeps its values.
  /// - Parameters:
  ///   - ids: The old and the new IDs. The new IDs are distinct.
  ///   - others: The IDs of all other rows, which have none of the new IDs.
  private func rename(
    _ ids: [(old: StoredValue, new: StoredValue)], besides others: Set<StoredValue>
  ) throws(SQLiteFailure) {
    let areIntegers = ids.allSatisfy { if case .integer = $0.new { true } else { false } }
    if idIndex != nil || hasIntegerID && !areIntegers {
      try separateIDs(hasIntegerID: hasIntegerID && areIntegers)
    }
    // The hashes of all cells of a row depend on its ID.
    sumChange = SumChange(base: .unknown, isWritten: true)
    let taken = others.union(ids.map(\.old)).union(ids.map(\.new))
    // Rows may exchange their IDs. Each row therefore first gets an ID that no row has.
    var unused = Int64.min
    var steps: [StoredValue] = []
    for (old, _) in ids {
      while taken.contains(.integer(unused)) { unused += 1 }
      _ = try rename(old, to: .integer(unused))
      steps.append(.integer(unused))
      unused += 1
    }
    for (step, id) in zip(steps, ids) { _ = try rename(step, to: id.new) }
  }
}
