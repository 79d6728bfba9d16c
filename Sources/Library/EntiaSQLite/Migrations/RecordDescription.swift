import EntiaCoding

/// The description that the tool `entia` adds to its files. It contains, as JSON, the schema of the
/// rows and the IDs of the rows at the top level. It also contains the distinctions between JSON
/// values that columns do not make.
struct RecordDescription {
  /// The tables of the description, which a file of a program lacks.
  static let tables = ["entia_records", "entia_members", "entia_spellings"]

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Renames a part in the description, if the file has one. A description of a former part with
  /// the new name is removed.
  /// - Throws: `SQLiteFailure`, `JSONError`.
  func rename(_ part: String, to newPart: String) throws {
    if part.isExactly(newPart) { return }
    let records = "SELECT 1 FROM sqlite_schema WHERE name='entia_records'"
    if try connection.value(records) == nil { return }
    for table in ["entia_members", "entia_spellings"] {
      try connection.prepare("DELETE FROM \(table) WHERE part=?").run([.text(newPart)])
      try connection.prepare("UPDATE \(table) SET part=? WHERE part=?").run([
        .text(newPart), .text(part),
      ])
    }
    try change("result") { $0.renamingMember(part, to: newPart) }
    try change("schema") { schema in
      schema.mapMembers(named: "entities") { entities in
        entities.renamingMember(part, to: newPart).mapMembers { entity in
          entity.mapMembers(named: "relationships") { relationships in
            relationships.mapMembers { relationship in
              relationship.mapMembers(named: "to") { target in
                // The target of a relationship to several entities is an object.
                target.renamingString(part, to: newPart)
                  .mapMembers { $0.renamingString(part, to: newPart) }
              }
            }
          }
        }
      }
    }
  }

  private func change(_ key: String, _ body: (JSONValue) -> JSONValue) throws {
    guard
      case .text(let text) = try connection.value(
        "SELECT value FROM entia_records WHERE key=?", [.text(key)])
    else { return }
    let value = body(try JSONValue.parse(text))
    try connection.prepare("UPDATE entia_records SET value=? WHERE key=?").run([
      .text(JSONText(value).text), .text(key),
    ])
  }
}

extension JSONValue {
  /// Returns the object with changed values of some members; the value itself if it is no object.
  /// - Parameter name: The name of the member to change; `nil` for all members.
  fileprivate func mapMembers(
    named name: String? = nil, _ body: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.map { member in
        let isChanged = name.map(member.name.isExactly) ?? true
        return isChanged ? Member(member.name, body(member.value)) : member
      })
  }

  /// Returns the object with a new name of a member, in place of a member that has this name.
  fileprivate func renamingMember(_ name: String, to newName: String) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.filter { !$0.name.isExactly(newName) }
        .map { $0.name.isExactly(name) ? Member(newName, $0.value) : $0 })
  }

  /// Returns the new string for a string; the value itself if it is anything else.
  fileprivate func renamingString(_ string: String, to newString: String) -> JSONValue {
    if case .string(let found) = self, found.isExactly(string) { .string(newString) } else { self }
  }
}
