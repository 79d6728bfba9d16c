/// A row as the import has it so far, or an ID that was named and whose row has not been met.
struct StagedRow {
  let id: RecordID
  /// The row; nil as long as it was only named.
  var record: Record?
  /// Where the row was met first, or replaced last.
  var origin = Origin.database
  /// The last table that listed it, to tell a row that one table lists twice.
  var table: Int32 = -1
  /// Says whether it differs from what the database had.
  var isChanged = false
  /// Says whether the top level of an input holds it.
  var isRoot = false
}

extension Record {
  /// Compares the members of the row with those of another occurrence.
  ///
  /// - Returns: the names of members that both have with different values, and whether the other
  ///   has members that this row lacks.
  func compare(_ other: Record) -> (differing: [ExactString], isExtended: Bool) {
    let (mine, theirs) = (values, other.values)
    var differing: [ExactString] = []
    var isExtended = false
    var index = 0
    for (name, value) in zip(other.names, theirs) {
      while index < names.count, names[index] < name { index += 1 }
      guard index < names.count, names[index] == name else {
        isExtended = true
        continue
      }
      if mine[index] != value { differing.append(name) }
    }
    return (differing, isExtended)
  }

  /// Gives the row with the members of another occurrence: all of them, in place of those that both
  /// have.
  ///
  /// - Returns: the row, and the names of the members that are new or different.
  func merging(_ other: Record) -> (record: Record, changed: [ExactString]) {
    let (mine, theirs) = (values, other.values)
    var names: [ExactString] = []
    var values: [RecordValue] = []
    var changed: [ExactString] = []
    var index = 0
    func keep() {
      names.append(self.names[index])
      values.append(mine[index])
      index += 1
    }
    for (name, value) in zip(other.names, theirs) {
      while index < self.names.count, self.names[index] < name { keep() }
      let isKnown = index < self.names.count && self.names[index] == name
      if isKnown, mine[index] == value {
        keep()
        continue
      }
      if isKnown { index += 1 }
      names.append(name)
      values.append(value)
      changed.append(name)
    }
    while index < self.names.count { keep() }
    return (Record(id: id, names: names, values: values), changed)
  }
}
