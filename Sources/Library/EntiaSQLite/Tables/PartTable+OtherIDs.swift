// Rows whose ID column has another ID than their members, because another program has changed the
// members, or because other members were the ID when the rows were saved.
extension PartTable {
  /// Sets the ID of each row to that of its members. Otherwise, an element could be found in the
  /// row of another element, whose ID column has the ID of the first.
  ///
  /// If two rows have the same ID in their members, one of them keeps its ID. So does a row that
  /// cannot be decoded.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func correctIDs<Element>(_ coding: any ElementCoding<Element>) throws(SQLiteFailure) {
    if idIndex == nil, !hasIntegerID {
      // Another program may have inserted several rows without an ID.
      try connection.execute(
        """
        UPDATE \(quotedName) SET \(quotedID)=-4611686018427387904-rowid WHERE \(quotedID) IS NULL
        """)
      if connection.changedRows > 0 {
        sumChange = SumChange(base: .unknown, isWritten: true)
        hasRestoredRows = true
      }
    }
    /// The old IDs by the new ones.
    var moved: [StoredValue: StoredValue] = [:]
    var kept: Set<StoredValue> = []
    let decoder = RowDecoder(members: members)
    try forEachRow { row, idColumn in
      let id = row.value(at: idColumn)
      decoder.begin(row)
      do {
        let element = try coding.decode(decoder, idColumn: idColumn)
        if coding.storedKey(of: id) != coding.key(of: element) {
          let new = try coding.idForm(of: element, encoder)
          if moved[new] == nil {
            moved[new] = id
            return
          }
        }
      } catch {
        // The row keeps its ID.
      }
      kept.insert(id)
    }
    // A row that keeps its ID may have the new ID of another row, which then keeps its own, too.
    var blocked = Array(kept)
    while let id = blocked.popLast() {
      guard let old = moved.removeValue(forKey: id) else { continue }
      kept.insert(old)
      blocked.append(old)
    }
    hasOtherIDs = false
    if moved.isEmpty { return }
    hasRestoredRows = true
    try rename(moved, besides: kept)
  }

  /// Changes the IDs of rows. A member that was the ID keeps its values.
  /// - Parameters:
  ///   - ids: The old IDs by the new ones.
  ///   - others: The IDs of all other rows, which have none of the new IDs.
  private func rename(
    _ ids: [StoredValue: StoredValue], besides others: Set<StoredValue>
  ) throws(SQLiteFailure) {
    let areIntegers = ids.keys.allSatisfy { if case .integer = $0 { true } else { false } }
    if idIndex != nil || hasIntegerID && !areIntegers {
      try separateIDs(hasIntegerID: hasIntegerID && areIntegers)
    }
    // The hashes of all cells of a row depend on its ID.
    sumChange = SumChange(base: .unknown, isWritten: true)
    let taken = others.union(ids.keys).union(ids.values)
    // Rows may exchange their IDs. Each row therefore first gets an ID that no row has.
    var unused = Int64.min
    var steps: [(unused: StoredValue, new: StoredValue)] = []
    for (new, old) in ids {
      while taken.contains(.integer(unused)) { unused += 1 }
      _ = try rename(old, to: .integer(unused))
      steps.append((.integer(unused), new))
      unused += 1
    }
    for (unused, new) in steps { _ = try rename(unused, to: new) }
  }
}
