import EntiaDatabase

/// The types of the members of rows. All programs that write to a space must agree on them.
///
/// A space stores them after its fingerprint, with a line for each member. When a program first
/// pushes a row of a table, it adds the members of that row. A program that does not have a member
/// leaves it in the rows. A member with another type would make the rows unreadable for that
/// program.
struct MemberTypes: Sendable {
  private static let prefix = "member "

  /// The known members and their types, by table.
  private var types: [String: [StorageSchema.Field]] = [:]

  var isEmpty: Bool { types.isEmpty }
  var tables: Set<String> { Set(types.keys) }

  /// Creates the member types of the rows that changes insert or update.
  /// - Parameter known: The tables to skip.
  init<Storage: NormalizedStorageType>(
    of changes: StorageChangeSet<Storage>, except known: Set<String>
  ) {
    var visitor = MemberVisitor(changes: changes, known: known)
    Storage.Contents.visitParts(&visitor)
    types = visitor.types
  }

  /// Returns the fingerprint of a space with the lines of these members.
  /// - Throws: `SharedDatabaseError.schemaDiffers` for a member with another type.
  func added(to header: SpaceHeader, space: String) throws -> String {
    var known: [Substring: Substring] = [:]
    for line in header.memberLines {
      let words = line.dropFirst(Self.prefix.count).split(separator: " ", maxSplits: 1)
      if words.count == 2 { known[words[0]] = words[1] }
    }
    var fingerprint = header.fingerprint
    for (table, members) in types.sorted(by: { $0.key < $1.key }) {
      for member in members {
        guard let type = known["\(table).\(member.name)"] else {
          fingerprint += "\n\(Self.prefix)\(table).\(member.name) \(member.type)"
          continue
        }
        guard type == member.type else {
          throw SharedDatabaseError.schemaDiffers(
            space: space,
            reason: """
              the member '\(member.name)' of \(table) is \(type) in the space and \
              \(member.type) in this program: give it another name, or raise the schema version in \
              the newer program
              """)
        }
      }
    }
    return fingerprint
  }

  /// An SQL expression for the fingerprint of a space without the lines of members.
  static let fingerprintWithoutMembers = "split_part(schema_fingerprint, E'\\n\(prefix)', 1)"

  /// Splits a fingerprint into the text before the members and the lines of the members.
  static func split(_ fingerprint: String) -> (parts: String, members: [Substring]) {
    let lines = fingerprint.split(separator: "\n", omittingEmptySubsequences: false)
    let first = lines.firstIndex { $0.hasPrefix(prefix) } ?? lines.endIndex
    return (lines[..<first].joined(separator: "\n"), Array(lines[first...]))
  }
}

private struct MemberVisitor<Storage: NormalizedStorageType>: StorageVisitor {
  typealias Contents = Storage.Contents

  let changes: StorageChangeSet<Storage>
  let known: Set<String>
  var types: [String: [StorageSchema.Field]] = [:]

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    if known.contains(name) { return }
    let changes = changes.changes(of: Table.Entity.self)
    guard let row = changes.inserted.first ?? changes.updated.first?.new else { return }
    types[name] = StorageSchema.fields(of: row)
  }
}
