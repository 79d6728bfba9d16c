import EntiaCoding
import EntiaJSON

extension RecordDatabase {
  /// Returns the database with some members of a row changed.
  ///
  /// The patch is a JSON merge patch (RFC 7396): its members replace those of the row, `null`
  /// removes a member, and an object is merged into the existing object, or into an empty one. A
  /// reference is an ID as stored in the row, with its type if the schema requires one. The target
  /// of the reference must exist, and is not changed. If references with types lead to the row, it
  /// keeps its type even if the patch removes the type.
  ///
  /// - Parameters:
  ///   - id: The text of the row's ID.
  ///   - name: The entity of the row.
  ///   - patch: The JSON object.
  /// - Returns: The database with the changed row. Its `result` is unchanged.
  /// - Throws: A ``PatchProblem`` if the row does not exist or the patch is invalid.
  /// - Complexity: O(rows + size of the row + size of the patch).
  public func patching(
    _ id: String, of name: String, with patch: [UInt8]
  ) throws(PatchProblem) -> RecordDatabase {
    let row: Record
    let entity: Schema.Entity
    do throws(SelectionProblem) {
      entity = try knownEntity(name)
      row = try rows(entity, ids: [id])[0]
    } catch {
      throw .selection(error)
    }
    let members = try Self.members(of: patch)
    try checkID(of: row, entity, members)
    try checkReferences(of: row, entity, members)
    var base = self
    // `null` for a member that the row does not have is no change.
    let removed = Set(members.filter { $0.value.isNull }.map { ExactString($0.name) })
      .intersection(row.names)
    if !removed.isEmpty { try base.remove(removed, from: row) }
    let text = try patched(row, entity, members.filter { !$0.value.isNull })
    let (result, report) = Importer.importing(
      [ImportSource(name: Self.patchName, bytes: text)], into: base,
      options: ImportOptions(format: .nested, root: entity.name, onConflict: .merge))
    let problems = report.problems.filter {
      $0.severity == .error || $0.kind == .danglingReference && $0.file == Self.patchName
    }
    guard var result, problems.isEmpty else { throw .invalid(problems) }
    // The import added the row to `resultKeys`, but a patch must not change `resultKeys`.
    result.resultKeys = resultKeys
    return result
  }

  private static let patchName = "the patch"

  private static func members(
    of patch: [UInt8]
  ) throws(PatchProblem) -> [JSONValue.Member] {
    let value: JSONValue
    do {
      value = try JSONValue.parse(patch)
    } catch {
      throw .invalid([ImportProblem(error, file: patchName, in: patch)])
    }
    guard case .object(let members) = value else {
      throw invalid(.root, "expected an object of members, found \(value.kindDescription)")
    }
    return members
  }

  /// Throws an error if the patch changes the ID, which would change or insert another row.
  private func checkID(
    of row: Record, _ entity: Schema.Entity, _ members: [JSONValue.Member]
  ) throws(PatchProblem) {
    for member in members where entity.idNames.contains(where: { $0.isExactly(member.name) }) {
      let old =
        entity.hasCompositeID ? Self.value(row[member.name]) : JSONText(row.id.key.value)
      if old != JSONText(member.value) {
        throw Self.invalid(
          .root.name(member.name),
          "\(member.name.quoted) is the ID of \(row.id) and cannot be changed")
      }
    }
  }

  /// Throws an error if a relationship contains an object, which would insert or change other rows.
  private func checkReferences(
    of row: Record, _ entity: Schema.Entity, _ members: [JSONValue.Member]
  ) throws(PatchProblem) {
    for member in members {
      guard let relationship = entity.relationship(member.name) else { continue }
      let path = JSONPath.root.name(member.name)
      try checkReference(member.value, relationship, row, path)
      guard case .array(let elements) = member.value else { continue }
      for (index, element) in elements.enumerated() {
        try checkReference(element, relationship, row, path.index(index))
      }
    }
  }

  private func checkReference(
    _ value: JSONValue, _ relationship: Schema.Relationship, _ row: Record, _ path: JSONPath
  ) throws(PatchProblem) {
    guard case .object(let members) = value, !isReference(members, of: value, relationship) else {
      return
    }
    let expected =
      relationship.typeName.map { "an object with nothing but \($0.quoted) and the ID" } ?? "an ID"
    throw Self.invalid(
      path,
      "\(relationship.name.quoted) of \(row.id) refers to rows by ID, and a patch changes no other row; "
        + "expected \(expected), found an object")
  }

  /// Returns whether an object is a reference to a row of one of several entities. A reference has
  /// no members except the type and the ID. The result is also `true` for an object without a valid
  /// type, because the import reports the invalid type as a problem.
  private func isReference(
    _ members: [JSONValue.Member], of value: JSONValue, _ relationship: Schema.Relationship
  ) -> Bool {
    guard let typeName = relationship.typeName else { return false }
    guard case .string(let type) = value[typeName],
      let variant = relationship.variants.first(where: { $0.type.isExactly(type) })
    else { return true }
    let names = [typeName] + (schema.entity(variant.entity)?.idNames ?? ["id"])
    return members.allSatisfy { member in names.contains { $0.isExactly(member.name) } }
  }

  private static func invalid(_ path: JSONPath, _ message: String) -> PatchProblem {
    .invalid([
      ImportProblem(
        file: patchName, path: path.description, kind: .typeMismatch, message: message)
    ])
  }

  /// Returns the value of a member as JSON, where each reference is the ID of its target.
  private static func value(_ value: RecordValue?) -> JSONText? {
    switch value {
    case nil: nil
    case .plain(let text): text
    case .reference(let id): JSONText(id.key.value)
    case .references(let ids): JSONText(.array(ids.map(\.key.value)))
    }
  }

  private mutating func remove(
    _ names: Set<ExactString>, from row: Record
  ) throws(PatchProblem) {
    let kept = row.members.filter { !names.contains(ExactString($0.name)) }
    do {
      try storage.write([Record(id: row.id, members: kept)])
    } catch {
      throw Self.invalid(.root, "the database refuses the patch: \(error)")
    }
  }

  /// Returns the ID and the new members as a record to import.
  private func patched(
    _ row: Record, _ entity: Schema.Entity, _ members: [JSONValue.Member]
  ) throws(PatchProblem) -> [UInt8] {
    var writer = JSONWriter(layout: .compact)
    writer.beginObject()
    if entity.hasCompositeID {
      for name in entity.idNames {
        guard let value = Self.value(row[name]) else { continue }
        writer.name(name)
        writer.text(value)
      }
    } else {
      writer.name(entity.idName)
      writer.key(row.id.key)
    }
    for member in members where !entity.idNames.contains(where: { $0.isExactly(member.name) }) {
      writer.name(member.name)
      guard case .object = member.value, entity.relationship(member.name) == nil else {
        writer.value(member.value)
        continue
      }
      do {
        var old = JSONValue.null
        if case .plain(let text) = row[member.name], text.text.utf8.first == Byte.openBrace {
          old = try text.value()
        }
        writer.value(old.merging(member.value))
      } catch {
        throw Self.invalid(
          .root.name(member.name), "the value that the row has there nests too deep to be merged")
      }
    }
    writer.endObject()
    return writer.bytes
  }
}

extension JSONValue {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Returns the value with a merge patch applied. Recursion is safe, because the depth of both
  /// values is limited.
  fileprivate func merging(_ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [Member] = []
    if case .object(let old) = self { members = old }
    for change in changes {
      let index = members.firstIndex { $0.name.isExactly(change.name) }
      if change.value.isNull {
        if let index { members.remove(at: index) }
      } else if let index {
        members[index] = Member(change.name, members[index].value.merging(change.value))
      } else {
        members.append(Member(change.name, JSONValue.null.merging(change.value)))
      }
    }
    return .object(members)
  }
}
