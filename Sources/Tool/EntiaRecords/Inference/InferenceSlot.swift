import EntiaCoding

/// A path in the inputs at which records occur, such as `$[].author`, with statistics of the
/// records.
final class InferenceSlot {
  /// The source of the records' name.
  enum Origin {
    /// The top level of a file.
    case root
    /// A table, which has the name of the entity.
    case table
    /// A member of an enclosing record.
    case member
  }

  let name: String
  let origin: Origin
  let parent: InferenceSlot?
  /// The path of the slot, for display.
  let path: String
  let position: Int
  /// The number of records that enclose each record of the slot.
  let depth: Int
  /// The ID member according to a schema.
  let knownID: String?

  /// The Django model of the records, with its app.
  var model: String?
  /// Whether several apps have a model with the same name as `model`.
  var sharesModelName = false

  var records = 0
  private(set) var memberNames: [ExactString: Int] = [:]
  var members: [InferenceMember] = []
  /// The identity of records whose IDs are outside the records, as in Django's rows; nil for other
  /// records.
  var given: RecordIdentity?
  /// The identity of records that are members of an object; nil for other records. The members'
  /// names are possible IDs of the records.
  var keyed: RecordIdentity?
  /// The maximum number of stored member names. Objects with this many names are maps, not records.
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

  /// Returns the index of a member. Inserts the member if its name is new.
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

  /// Whether the number of member names has reached the limit.
  var isMap: Bool { members.count >= Self.mostMembers }

  /// Returns a member by name, or nil if no record has it.
  func known(_ name: String) -> InferenceMember? {
    memberNames[ExactString(name)].map { members[$0] }
  }
}
