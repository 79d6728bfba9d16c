/// A place where records were seen, such as `$[].author`, and what they have in common.
final class InferenceSlot {
  /// What names the records of a place.
  enum Origin {
    /// The top level of a file.
    case root
    /// A table, whose name is the entity's.
    case table
    /// The member of another record.
    case member
  }

  let name: String
  let origin: Origin
  let parent: InferenceSlot?
  /// The place as people read it.
  let path: String
  let position: Int
  /// How many records are around those here.
  let depth: Int
  /// The member that a schema says is the ID.
  let knownID: String?

  var records = 0
  private(set) var memberNames: [ExactString: Int] = [:]
  var members: [InferenceMember] = []
  /// The records by an ID that stands outside them, as in Django's rows.
  var given: RecordIdentity?
  /// The records by the name under which they stand in a table, which may be their ID.
  var keyed: RecordIdentity?
  /// Objects with more members than this are no records but maps, and not all are remembered.
  static let mostMembers = 256

  init(
    name: String, origin: Origin, parent: InferenceSlot?, path: String, position: Int,
    knownID: String? = nil
  ) {
    self.name = name
    self.origin = origin
    self.parent = parent
    self.path = path
    self.position = position
    depth = parent.map { $0.depth + 1 } ?? 0
    self.knownID = knownID
  }

  /// The position of a member, which is new if its name is.
  func member(_ name: String) -> Int {
    let exact = ExactString(name)
    if let index = memberNames[exact] { return index }
    if members.count >= Self.mostMembers { return members.count - 1 }
    let rank =
      knownID.map { $0.isExactly(name) ? 0 : nil } ?? EntityNames.idRank(of: name, in: self.name)
    memberNames[exact] = members.count
    members.append(InferenceMember(name: name, rank: given == nil ? rank : nil))
    return members.count - 1
  }

  /// Says whether there are more members than are remembered.
  var isMap: Bool { members.count >= Self.mostMembers }

  /// Gives a member by its name, if any record has it.
  func known(_ name: String) -> InferenceMember? {
    memberNames[ExactString(name)].map { members[$0] }
  }
}

/// A member of the records of one place, and the values it has.
struct InferenceMember {
  /// What a value is, as far as it matters.
  enum Kind {
    case null
    /// An integer or a string that is short enough for an ID.
    case key
    case object
    case list
    case other
  }

  /// How many values there are of each kind.
  struct Counts {
    var nulls = 0
    var keys = 0
    var objects = 0
    var lists = 0
    var others = 0

    mutating func add(_ kind: Kind) {
      switch kind {
      case .null: nulls += 1
      case .key: keys += 1
      case .object: objects += 1
      case .list: lists += 1
      case .other: others += 1
      }
    }

    static func + (left: Counts, right: Counts) -> Counts {
      Counts(
        nulls: left.nulls + right.nulls, keys: left.keys + right.keys,
        objects: left.objects + right.objects, lists: left.lists + right.lists,
        others: left.others + right.others)
    }
  }

  let name: String
  let hash: UInt64
  /// How likely the member is an ID by its name, 0 the most; nil if it is not.
  let rank: Int?
  var values = Counts()
  /// The values in the lists that are values.
  var elements = Counts()
  /// The different values, or elements of lists, that could be IDs.
  var keys: Set<UInt64> = []
  /// Says whether one of them is a string.
  var hasStrings = false
  /// The smallest and the largest integer among them.
  var numbers: ClosedRange<Int>?
  /// How many values are the record's own ID.
  var ownKeys = 0
  /// The place of the objects that are values, or elements.
  var child: InferenceSlot?
  /// The records by this member as their ID.
  var identity: RecordIdentity?

  init(name: String, rank: Int?) {
    self.name = name
    self.rank = rank
    hash = ValueHash.of(name.utf8, tag: 0)
    identity = rank == nil ? nil : RecordIdentity()
  }

  mutating func add(key: UInt64, number: Int?) {
    keys.insert(key)
    guard let number else {
      hasStrings = true
      return
    }
    numbers = numbers.map { min($0.lowerBound, number)...max($0.upperBound, number) }
    if numbers == nil { numbers = number...number }
  }
}

/// What a member as the ID tells apart: whether records of one ID agree.
struct RecordIdentity {
  var ids: Set<UInt64> = []
  /// How many records have the member, as a key.
  private(set) var records = 0
  /// How many records say something else than an earlier one of the same ID.
  private(set) var contradictions = 0
  /// The values of members, by ID and member.
  private(set) var contents: [UInt64: UInt64] = [:]

  /// How many records came with an ID that was there before.
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

  /// How many values of the same ID and member two places have in common, and how many differ.
  ///
  /// - Complexity: O(values of the smaller one).
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
