// Rows whose ID column has another ID than their members, because another program has changed the
// members, or because other members were the ID when the rows were saved.
extension PartTable {
  /// Returns whether an ID is in the range from which rows without an ID, and skipped rows whose ID
  /// another row has, get an ID. No user has seen such an ID.
  static func isFreeID(_ id: StoredValue) -> Bool {
    if case .integer(let number) = id { number <= -4_611_686_018_427_387_904 } else { false }
  }

  /// Sets the ID column of each loaded row to the ID in the members of the row. Otherwise, the
  /// search for an element by its ID could find the row of another element.
  ///
  /// If a loaded row has the ID of a skipped row, the skipped row gets an ID that no row has. Any
  /// other skipped row keeps its ID. Rows are skipped if they cannot be decoded, or if an earlier
  /// row has the ID of their members. The latter lose their order numbers, so that later loads skip
  /// them, too, even if a save changes the order of the other rows.
  /// - Throws: `SQLiteFailure`.
  /// - Complexity: O(*n*).
  func correctIDs<Element>(_ coding: any ElementCoding<Element>) throws(SQLiteFailure) {
    var isChanged = false
    if idIndex == nil, !hasIntegerID {
      // Another program may have inserted several rows without an ID.
      try connection.execute(
        """
        UPDATE \(quotedName) SET \(quotedID)=-4611686018427387904-rowid WHERE \(quotedID) IS NULL
        """)
      isChanged = connection.changedRows > 0
    }
    // The loaded rows are in the order of the file, so that their IDs change in the same order in
    // every process. The order decides which pages SQLite writes.
    var loaded: [LoadedRow] = []
    var places: [AnyHashable: Int] = [:]
    var skipped: [StoredValue] = []
    var repeated: [StoredValue] = []
    let decoder = RowDecoder(members: members)
    try forEachRow { row, reading in
      let id = row.value(at: reading.idColumn)
      decoder.begin(row)
      do {
        let element = try coding.decode(decoder, idColumn: reading.idColumn)
        let order = OrderNumbers.number(of: row, at: reading.orderColumn)
        let key = coding.key(of: element)
        let place = places[key]
        if let place, loaded[place].order <= order {
          if order != .max { repeated.append(id) }
          return skipped.append(id)
        }
        let new =
          coding.hasID(of: element, row, idColumn: reading.idColumn)
          ? id : try coding.idForm(of: element, encoder)
        let row = LoadedRow(id: id, newID: new, order: order)
        guard let place else {
          places[key] = loaded.count
          return loaded.append(row)
        }
        if loaded[place].order != .max { repeated.append(loaded[place].id) }
        skipped.append(loaded[place].id)
        loaded[place] = row
      } catch {
        skipped.append(id)
      }
    }
    let moved = loaded.filter { $0.id != $0.newID }
    if idIndex != nil, moved.contains(where: { $0.id == .null }) {
      // The rows without an ID need different IDs before they can be renamed.
      try separateIDs(hasIntegerID: false)
      return try correctIDs(coding)
    }
    hasOtherIDs = false
    let newIDs = Set(moved.map(\.newID))
    let hindering = skipped.filter { id in
      newIDs.contains(id) || coding.storedKey(of: id).map { places[$0] != nil } == true
    }
    guard isChanged || !repeated.isEmpty || !moved.isEmpty || !hindering.isEmpty else { return }
    hasRestoredRows = true
    sumChange = SumChange(base: .unknown, isWritten: true)
    for id in repeated { _ = try setOrder(of: id, to: nil) }
    if moved.isEmpty, hindering.isEmpty { return }
    try rename(
      moved, besides: hindering, newIDs.union(skipped).union(loaded.lazy.map(\.id)))
  }

  /// A row that is loaded.
  private struct LoadedRow {
    /// The value in the ID column.
    let id: StoredValue
    /// The ID of the members; equal to `id` if the ID column has this ID in any spelling.
    let newID: StoredValue
    let order: Int64
  }

  /// Changes the IDs of rows. A member that was the ID keeps its values.
  /// - Parameters:
  ///   - rows: The rows that get the ID of their members.
  ///   - others: The IDs of the rows that get an ID that no row has.
  ///   - taken: The old and new IDs of all rows.
  private func rename(
    _ rows: [LoadedRow], besides others: [StoredValue], _ taken: Set<StoredValue>
  ) throws(SQLiteFailure) {
    let areIntegers = rows.allSatisfy { if case .integer = $0.newID { true } else { false } }
    if idIndex != nil || hasIntegerID && !areIntegers {
      try separateIDs(hasIntegerID: hasIntegerID && areIntegers)
    }
    // Rows may exchange their IDs. Each row therefore first gets an ID that no row has.
    var unused = Int64.min
    func free(_ id: StoredValue) throws(SQLiteFailure) -> StoredValue {
      while taken.contains(.integer(unused)) { unused += 1 }
      defer { unused += 1 }
      _ = try rename(id, to: .integer(unused))
      return .integer(unused)
    }
    for id in others { _ = try free(id) }
    var steps: [(unused: StoredValue, new: StoredValue)] = []
    for row in rows { steps.append((try free(row.id), row.newID)) }
    for (unused, new) in steps { _ = try rename(unused, to: new) }
  }
}
