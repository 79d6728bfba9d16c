/// A member of a slot's records, with statistics of its values.
struct InferenceMember {
  /// The kind of a value, for inference.
  enum Kind {
    case null
    /// An integer or a string.
    case key
    /// A number that is not an integer, or not in plain notation. It can be an ID only if the name
    /// of the member suggests an ID. It is never a reference.
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
  /// The position of the `InferenceSlot` that describes the objects in this member, including the
  /// objects in arrays. The slot itself is not stored, because a record may contain records of its
  /// own slot. The slot would then retain itself.
  var child: Int?
  /// The identity of the records, with this member as their ID.
  var identity: RecordIdentity?

  /// Whether strings too long for most IDs are frequent, as in prose: more than one for every ten
  /// distinct values.
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
