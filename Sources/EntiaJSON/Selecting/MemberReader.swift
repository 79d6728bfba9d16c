/// Reads the members of one entity's rows, including the ID.
struct MemberReader {
  /// The name of the ID; for a composite ID, the joined names of its members.
  private let idName: ExactString

  init(_ entity: Schema.Entity) {
    idName = ExactString(entity.idName)
  }

  func value(of member: ExactString, in row: Record) -> MemberValue {
    member == idName ? .key(row.id.key) : MemberValue(row[member.string])
  }
}
