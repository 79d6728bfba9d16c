/// The consistency of records when a member is their ID: whether records with the same ID agree.
struct RecordIdentity {
  var ids: Set<UInt64> = []
  /// The number of records in which the member has a value that can be an ID.
  private(set) var records = 0
  /// The number of records that contradict an earlier one with the same ID.
  private(set) var contradictions = 0
  /// The hashes of the members' values, by ID and member.
  private(set) var contents: [UInt64: UInt64] = [:]

  /// The number of records with an ID that has already occurred.
  var repeats: Int { records - ids.count }

  mutating func add(_ id: UInt64, members: some Sequence<(name: UInt64, value: UInt64)>) {
    records += 1
    ids.insert(id)
    var contradicts = false
    for (name, value) in members {
      let old = contents.updateValue(value, forKey: ValueHash.of(id, name))
      if let old, old != value { contradicts = true }
    }
    if contradicts { contradictions += 1 }
  }

  /// Compares the values that both identities have for the same ID and member. Returns the number
  /// of equal values and the number of different ones.
  ///
  /// - Complexity: O(values of the smaller identity).
  func compare(to other: RecordIdentity) -> (same: Int, different: Int) {
    if contents.count > other.contents.count { return other.compare(to: self) }
    var (same, different) = (0, 0)
    for (key, value) in contents {
      guard let theirs = other.contents[key] else { continue }
      if theirs == value { same += 1 } else { different += 1 }
    }
    return (same, different)
  }

  mutating func merge(_ other: RecordIdentity) {
    ids.formUnion(other.ids)
    records += other.records
    contradictions += other.contradictions
    contents.merge(other.contents) { mine, _ in mine }
  }
}
