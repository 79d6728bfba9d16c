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
  /// The position of the place of the objects that are values, or elements. Not the place itself:
  /// places name each other in circles where records nest themselves, which would keep them.
  var child: Int?
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
