import EntiaCoding

extension Record {
  /// Compares the members of the row with those of another occurrence.
  ///
  /// - Returns: The names of members that both have with different values, sorted, and whether the
  ///   other occurrence has members that this row lacks.
  func compare(_ other: Record) -> (differing: [ExactString], isExtended: Bool) {
    let differences = self.differences(to: other)
    return (
      differences.filter { $0.old != nil && $0.new != nil }.map(\.name),
      differences.contains { $0.old == nil }
    )
  }

  /// Returns the members in which the row and another one differ, sorted by the UTF-8 bytes of
  /// their names.
  func differences(
    to other: Record
  ) -> [(name: ExactString, old: RecordValue?, new: RecordValue?)] {
    // Read once: the rows compute these arrays on each access.
    let (oldNames, newNames) = (body.names, other.body.names)
    let (oldValues, newValues) = (values, other.values)
    var differences: [(name: ExactString, old: RecordValue?, new: RecordValue?)] = []
    var (left, right) = (oldNames.sorted[...], newNames.sorted[...])
    while left.first != nil || right.first != nil {
      let old = left.first.map { oldNames.names[$0] }
      let new = right.first.map { newNames.names[$0] }
      let isOld = old.map { name in new.map { name <= $0 } ?? true } ?? false
      let isNew = new.map { name in old.map { name <= $0 } ?? true } ?? false
      let before = isOld ? left.popFirst().map { oldValues[$0] } : nil
      let after = isNew ? right.popFirst().map { newValues[$0] } : nil
      if before != after, let name = isOld ? old : new { differences.append((name, before, after)) }
    }
    return differences
  }

  /// Returns the row combined with another occurrence, whose members take precedence. New members
  /// follow the row's own.
  ///
  /// - Returns: The row, and the names of the members that are new or different.
  func merging(_ other: Record) -> (record: Record, changed: [ExactString]) {
    var changes: [ExactString: RecordValue] = [:]
    var changed: [ExactString] = []
    for difference in differences(to: other) {
      guard let value = difference.new else { continue }
      changes[difference.name] = value
      changed.append(difference.name)
    }
    return (replacing(changes, addingInOrderOf: other.names), changed)
  }

  /// Returns the row with other values of some members.
  ///
  /// - Parameters:
  ///   - changes: The values of members, which may be new ones.
  ///   - order: Names that include the new members, which are added in this order.
  func replacing(
    _ changes: [ExactString: RecordValue], addingInOrderOf order: [ExactString]
  ) -> Record {
    var added = changes
    var values = values
    for (index, name) in names.enumerated() {
      if let value = added.removeValue(forKey: name) { values[index] = value }
    }
    if added.isEmpty { return with(values) }
    var names = names
    for name in order {
      guard let value = added.removeValue(forKey: name) else { continue }
      names.append(name)
      values.append(value)
    }
    return Record(id: id, names: MemberNames(names), values: values)
  }

  /// Returns the row with other values of its members.
  func with(_ values: [RecordValue]) -> Record {
    Record(id: id, names: body.names, values: values)
  }
}
