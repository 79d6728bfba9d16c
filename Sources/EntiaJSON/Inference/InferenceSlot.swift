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
