/// A row as the import has it so far.
struct StagedRow {
  let key: RecordKey
  var names: [ExactString]
  var values: [RecordValue]
  /// Where the row was met first, or replaced last.
  var origin: Origin
  /// Where members came from that a later occurrence brought.
  var memberOrigins: [ExactString: Origin] = [:]
  /// Says whether it differs from what the database had.
  var isChanged: Bool
  /// The last table that listed it, to tell a row that one table lists twice.
  var table = -1

  func origin(of name: ExactString) -> Origin { memberOrigins[name] ?? origin }

  /// Compares the members of the row with those of another occurrence.
  ///
  /// - Returns: the names of members that both have with different values, and whether the other
  ///   has members that this row lacks.
  func compare(_ names: [ExactString], _ values: [RecordValue]) -> (
    differing: [ExactString], isExtended: Bool
  ) {
    // Rows of one shape share their names, so this is mostly a comparison of two addresses.
    if self.names == names {
      if self.values == values { return ([], false) }
      return (names.indices.filter { self.values[$0] != values[$0] }.map { names[$0] }, false)
    }
    var differing: [ExactString] = []
    var isExtended = false
    var mine = 0
    for (name, value) in zip(names, values) {
      while mine < self.names.count, self.names[mine] < name { mine += 1 }
      guard mine < self.names.count, self.names[mine] == name else {
        isExtended = true
        continue
      }
      if self.values[mine] != value { differing.append(name) }
    }
    return (differing, isExtended)
  }

  /// Takes the members of another occurrence: all of them, in place of those that both have.
  mutating func merge(_ names: [ExactString], _ values: [RecordValue], from origin: Origin) {
    var merged: (names: [ExactString], values: [RecordValue]) = ([], [])
    var mine = 0
    func keep(_ row: StagedRow, _ index: Int) {
      merged.names.append(row.names[index])
      merged.values.append(row.values[index])
    }
    for (name, value) in zip(names, values) {
      while mine < self.names.count, self.names[mine] < name {
        keep(self, mine)
        mine += 1
      }
      if mine < self.names.count, self.names[mine] == name {
        if self.values[mine] == value {
          keep(self, mine)
          mine += 1
          continue
        }
        mine += 1
      }
      merged.names.append(name)
      merged.values.append(value)
      memberOrigins[name] = origin
    }
    while mine < self.names.count {
      keep(self, mine)
      mine += 1
    }
    (self.names, self.values) = merged
    isChanged = true
  }
}
