extension Record {
  /// Compares the members of the row with those of another occurrence.
  ///
  /// - Returns: The names of members that both have with different values, and whether the other
  ///   occurrence has members that this row lacks.
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

  /// Returns the row combined with another occurrence, whose members take precedence.
  ///
  /// - Returns: The row, and the names of the members that are new or different.
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
