import EntiaCoding

/// Reads the members of one entity's rows, including the ID.
struct MemberReader {
  /// The name of the ID; for a composite ID, the joined names of its members.
  private let idName: ExactString

  init(_ entity: Schema.Entity) {
    idName = ExactString(entity.idName)
  }

  /// Returns the value of a member, or of a member inside its object, such as `where.place`. A name
  /// that the row has takes precedence over a path.
  func value(of member: ExactString, in row: Record) -> MemberValue {
    if member == idName { return .key(row.id.key) }
    if let value = row[member.string] { return MemberValue(value) }
    for (name, path) in Self.paths(member.string) {
      switch row[name] {
      case nil: continue
      case .plain(let text): return Self.value(at: path, in: text)
      case .reference, .references: return .null
      }
    }
    return .null
  }

  /// Returns the ways to read a name as the name of a member and a path inside its value, the
  /// longest name first.
  static func paths(_ name: String) -> [(name: String, path: String)] {
    name.indices.reversed().filter { name[$0] == "." }.map {
      (String(name[..<$0]), String(name[name.index(after: $0)...]))
    }
  }

  private static func value(at path: String, in text: JSONText) -> MemberValue {
    var (text, path) = (text, path)
    walk: while true {
      if let value = text.member(path) { return MemberValue(value) }
      for (name, rest) in paths(path) {
        guard let value = text.member(name) else { continue }
        (text, path) = (value, rest)
        continue walk
      }
      return .null
    }
  }
}
