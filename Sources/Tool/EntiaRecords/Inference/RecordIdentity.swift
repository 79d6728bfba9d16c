import EntiaCoding

/// The consistency of records if one member is taken as their ID: whether records with the same ID
/// agree, and whether an import would refuse the IDs.
struct RecordIdentity {
  private(set) var ids: Set<UInt64> = []
  /// The hashes of the IDs' texts.
  private var texts: Set<UInt64> = []
  /// The hashes of the IDs' numbers, equal for all spellings of one number.
  private var numbers: Set<UInt64> = []
  /// The number of records in which the member has a value that can be an ID.
  private(set) var records = 0
  /// The number of records that contradict an earlier one with the same ID.
  private(set) var contradictions = 0
  /// The number of records whose ID differs from their name in an object of records.
  private var misplaced = 0
  /// The hashes of the members' values, by ID and member.
  private(set) var contents: [UInt64: UInt64] = [:]

  init() {}

  /// Creates the identity of records whose members are not compared.
  ///
  /// - Parameter ids: The ID of each record; all are strings, or all integers.
  init(ids: Set<UInt64>) { (self.ids, texts, numbers, records) = (ids, ids, ids, ids.count) }

  /// The number of records with an ID that has already occurred.
  var repeats: Int { records - ids.count }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - hash: The hashes of the record's ID.
  ///   - key: The name of the record in an object whose members are the records; otherwise nil.
  ///   - members: Its other members.
  mutating func add(
    _ hash: IDHash, under key: IDHash?, members: some Sequence<(name: UInt64, value: UInt64)>
  ) {
    let id = hash.value
    records += 1
    ids.insert(id)
    texts.insert(hash.text)
    numbers.insert(hash.number)
    if let key, key.text != hash.text { misplaced += 1 }
    var contradicts = false
    for (name, value) in members {
      let old = contents.updateValue(value, forKey: ValueHash.of(id, name))
      if let old, old != value { contradicts = true }
    }
    if contradicts { contradictions += 1 }
  }

  /// Returns the reason why the member is not the ID of all records, or why an import would refuse
  /// the IDs; nil if there is no such reason.
  ///
  /// - Parameter count: The number of all records.
  func problem(among count: Int) -> String? {
    let all = count.counted("record")
    let lacking = count - records
    if lacking > 0 { return "\(lacking) of \(all) \(lacking == 1 ? "has" : "have") no such ID" }
    if let confusion { return confusion }
    if contradictions > 0 {
      return "\(contradictions) of \(all) "
        + (contradictions == 1
          ? "contradicts another of its ID" : "contradict another of their ID")
    }
    if misplaced == 0 { return nil }
    return "\(misplaced) of \(all) "
      + (misplaced == 1
        ? "is under another name than its ID" : "are under other names than their IDs")
  }

  /// The reason why an import refuses the IDs although the records agree; nil if there is none.
  var confusion: String? {
    let mixed = ids.count - texts.count
    if mixed > 0 {
      return mixed == 1
        ? "1 ID is a number in one place and a string in another"
        : "\(mixed) IDs are numbers in one place and strings in another"
    }
    let spelled = ids.count - numbers.count
    if spelled <= 0 { return nil }
    return spelled == 1
      ? "1 ID is the same number as another, in another spelling"
      : "\(spelled) IDs are the same numbers as others, in other spellings"
  }

  /// Compares the values that both identities have for the same ID and member. Returns the number
  /// of equal values (`same`) and of different values (`different`).
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
    texts.formUnion(other.texts)
    numbers.formUnion(other.numbers)
    misplaced += other.misplaced
    records += other.records
    contradictions += other.contradictions
    contents.merge(other.contents) { mine, _ in mine }
  }
}
