/// A member of a slot's records, with statistics of its values.
struct InferenceMember {
  /// The kind of a value, for inference.
  enum Kind {
    case null
    /// An integer or a string.
    case key
    /// A number that is not an integer, or not in plain notation. It is an ID only in a member that
    /// has the name of one, and no reference.
    case number
    case object
    case list
    case other
  }

  /// The number of values of each kind.
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
      case .number, .other: others += 1
      }
    }

    static func + (lhs: Counts, rhs: Counts) -> Counts {
      Counts(
        nulls: lhs.nulls + rhs.nulls, keys: lhs.keys + rhs.keys,
        objects: lhs.objects + rhs.objects, lists: lhs.lists + rhs.lists,
        others: lhs.others + rhs.others)
    }
  }

  let name: String
  let hash: UInt64
  /// The rank of the member's name as an ID, where 0 is the most likely; nil if it does not suggest
  /// an ID.
  let rank: Int?
  var values = Counts()
  /// The kinds of the elements, for values that are arrays.
  var elements = Counts()
  /// The distinct values, or elements of arrays, that could be IDs.
  var keys: Set<UInt64> = []
  /// Whether one of the ``keys`` is a string, or an integer that does not fit `Int`.
  var hasStrings = false
  /// The number of values that are strings longer than most IDs.
  var longKeys = 0
  /// The range of the integers among the ``keys``.
  var numbers: ClosedRange<Int>?
  /// The number of values that equal the record's own ID.
  var ownKeys = 0
  /// The position of the slot of the objects that are values or elements. A position instead of a
  /// reference avoids retain cycles, because slots of records that contain themselves refer to each
  /// other.
  var child: Int?
  /// The identity of the records, with this member as their ID.
  var identity: RecordIdentity?

  /// Whether the strings are mostly too long for IDs, as prose is.
  var isText: Bool { longKeys * 10 > keys.count }

  init(name: String, rank: Int?) {
    self.name = name
    self.rank = rank
    hash = ValueHash.of(name.utf8, tag: 0)
    identity = rank == nil ? nil : RecordIdentity()
  }

  mutating func add(key: UInt64, number: Int?, isLong: Bool = false) {
    keys.insert(key)
    if isLong { longKeys += 1 }
    guard let number else {
      hasStrings = true
      return
    }
    numbers = numbers.map { min($0.lowerBound, number)...max($0.upperBound, number) }
    if numbers == nil { numbers = number...number }
  }
}

/// The consistency of records when a member is their ID: whether records with the same ID agree.
struct RecordIdentity {
  private(set) var ids: Set<UInt64> = []
  /// The texts of the IDs.
  private var texts: Set<UInt64> = []
  /// The number of records with a value of the member that can be an ID.
  private(set) var records = 0
  /// The number of records that contradict an earlier one with the same ID.
  private(set) var contradictions = 0
  /// The hashes of the members' values, by ID and member.
  private(set) var contents: [UInt64: UInt64] = [:]

  init() {}

  /// Creates the identity of records whose members are not compared.
  ///
  /// - Parameter ids: The IDs, which are all strings or all numbers.
  init(ids: Set<UInt64>) { (self.ids, texts) = (ids, ids) }

  /// The number of records with an ID that has already occurred.
  var repeats: Int { records - ids.count }

  /// The number of IDs with the text of another one of the other type.
  var confusions: Int { max(0, ids.count - texts.count) }

  mutating func add(_ hash: IDHash, members: some Sequence<(name: UInt64, value: UInt64)>) {
    let id = hash.value
    records += 1
    ids.insert(id)
    texts.insert(hash.text)
    var contradicts = false
    for (name, value) in members {
      let old = contents.updateValue(value, forKey: ValueHash.of(id, name))
      if let old, old != value { contradicts = true }
    }
    if contradicts { contradictions += 1 }
  }

  /// Compares the values of both identities for the same ID and member. Returns the number of equal
  /// values and the number of different ones.
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
    records += other.records
    contradictions += other.contradictions
    contents.merge(other.contents) { mine, _ in mine }
  }
}
