/// Generates the declarations that `@Entity` adds to a struct.
///
/// Names of other modules are qualified, because the user's module may have types with these names.
struct EntitySource {
  private let model: EntityModel
  private var lines: [String] = []

  /// Returns the source of the members that declare the ID. These members belong to the struct
  /// itself, because the generated extension could not use unqualified names of types in an outer
  /// type.
  static func members(of model: EntityModel) -> String {
    var source = EntitySource(model: model)
    source.writeIdentity()
    return source.lines.joined(separator: "\n")
  }

  /// Returns the source of the extension of `type` that adds `conformances`.
  static func extending(
    _ type: String, with conformances: [String], _ model: EntityModel
  ) -> String {
    var source = EntitySource(model: model)
    source.writeReading()
    source.writeWriting()
    source.writeMerging()
    source.writeCoding(conformances)
    let protocols = conformances.map {
      ["EntityType", "RowCodable"].contains($0) ? "EntiaDatabase.\($0)" : "Swift.\($0)"
    }
    let inheritance = protocols.isEmpty ? "" : ": \(protocols.joined(separator: ", "))"
    // Without `nonisolated`, the extension is isolated if the default isolation of the module is an
    // actor, even if the type is nonisolated.
    let head = model.availability + ["nonisolated extension \(type)\(inheritance) {"]
    return (head + source.lines + ["}"]).joined(separator: "\n")
  }

  private init(model: EntityModel) {
    self.model = model
  }

  private var access: String { model.access.map { "\($0) " } ?? "" }

  private func each(_ lines: (EntityMember) -> [String]) -> [String] {
    ConditionalPart.each(model.parts) { SourceLine.located($0.line, lines($0)) }
  }

  // MARK: Identity

  private mutating func writeIdentity() {
    switch model.identity {
    case .declared: return
    case .member(let member, let type):
      lines += [
        "\(access)typealias EntityIDRawType = \(type)", "",
        "\(access)var entityID: EntityID { EntityID(self.\(member.name.text)) }",
      ]
      if !model.declaresID {
        lines += ["", "\(access)var id: \(type) { self.\(member.name.text) }"]
      }
    case .members(let parts): writeIDType(of: parts)
    }
  }

  private mutating func writeIDType(of parts: [EntityModel.IDPart]) {
    // If the type of a member is not `Codable`, the compiler reports the error at the member.
    lines += SourceLine.located(
      parts.first?.member.line,
      ["\(access)struct ID: Swift.Hashable, Swift.Codable, Swift.Sendable {"])
    for part in parts {
      let access = part.member.access.map { "\($0) " } ?? ""
      lines += SourceLine.located(
        part.member.line, ["  \(access)let \(part.name): \(part.type)"])
    }
    let names = IDNames(of: parts)
    // The implicit initializer is internal, or less visible if a part is less visible. A type that
    // declares another initializer has no implicit one.
    let isVisible =
      model.access.map { access in
        access != "fileprivate"
          && parts.allSatisfy { [access, "public"].contains($0.member.access) }
      } ?? false
    let isHidden = parts.contains { ["fileprivate", "private"].contains($0.member.access) }
    if isVisible || isHidden || names != nil {
      let access = isVisible ? access : isHidden ? "fileprivate " : ""
      let parameters = parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      lines += ["", "  \(access)init(\(parameters)) {"]
      lines += parts.map { "    self.\($0.name) = \($0.name)" }
      lines.append("  }")
    }
    if let names { lines += names.coding(of: parts, access: access).map { "  \($0)" } }
    let arguments = parts.map { "\($0.label): self.\($0.name)" }.joined(separator: ", ")
    lines += ["}", "", "\(access)var id: ID { ID(\(arguments)) }"]
  }

  // MARK: Rows

  /// The attribute of functions that access every member. Without it, each access of a deprecated
  /// member in them would cause a warning.
  private var deprecation: [String] {
    model.parts.flatMap(\.properties).contains(where: \.isDeprecated)
      ? ["  @available(*, deprecated)"] : []
  }

  private mutating func writeReading() {
    lines += deprecation
    lines.append("  \(access)init(row: inout some EntiaDatabase.RowReader & ~Copyable) throws {")
    lines += each { $0.isReadLast ? [] : reading($0) }
    lines += each { $0.isReadLast ? reading($0) : [] }
    lines += ["  }", ""]
  }

  private func reading(_ member: EntityMember) -> [String] {
    if member.isTransient { return [] }
    let oldNames = member.oldNames.map { quoted($0) }.joined(separator: ", ")
    let name = quoted(member.storedName)
    let key = oldNames.isEmpty ? name : "row.name(\(name), or: \(oldNames))"
    let place = "self.\(member.name.text)"
    // If `member.hasDefault`, the property already has its declared value, because Swift assigns
    // declared values before the body of the initializer.
    return switch (member.hasDefault, member.isOptional) {
    case (false, false): ["    \(place) = try row.member(\(key))"]
    case (false, true): ["    \(place) = try row.memberIfPresent(\(key))"]
    case (true, false):
      [
        "    \(place) = try row.memberIfPresent(\(key)) ?? "
          + (member.mayBeOptional ? "row.declared(\(key), \(place))" : place)
      ]
    case (true, true):
      ["    if row.hasMember(\(key)) { \(place) = try row.memberIfPresent(\(key)) }"]
    }
  }

  private mutating func writeWriting() {
    lines += deprecation
    lines.append(
      "  \(access)func write(to row: inout some EntiaDatabase.RowWriter & ~Copyable) throws {")
    lines += each { member in
      if member.isTransient { return [] }
      // `nil` is written as null, because a row without the member would be read with the declared
      // value, or with the value under an old name.
      let isNullable = member.hasDefault || !member.oldNames.isEmpty
      let method = isNullable && member.isOptional ? "setNullableMember" : "setMember"
      let (name, value) = (quoted(member.storedName), "self.\(member.name.text)")
      let line = "try row.\(method)(\(name), to: \(value))"
      guard isNullable, member.mayBeOptional else { return ["    \(line)"] }
      return ["    if row.isNil(\(value)) { try row.setNull(\(name)) } else { \(line) }"]
    }
    lines += ["  }", ""]
  }

  private mutating func writeMerging() {
    lines += deprecation
    lines += [
      "  \(access)init(",
      "    merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,",
      "    by merger: inout EntiaDatabase.RowMerger",
      "  ) {",
    ]
    // Transient members come last. They already have their declared values, and Swift allows the
    // assignment of other values only after all stored properties have values.
    lines += each { $0.isTransient ? [] : merging($0) }
    lines += each { $0.isTransient ? merging($0) : [] }
    lines.append("  }")
  }

  private func merging(_ member: EntityMember) -> [String] {
    let name = member.name.text
    return [
      "    self.\(name) = merger.merged("
        + "\(quoted(member.storedName)), mine.\(name), theirs.\(name), base: base.\(name))"
    ]
  }

  private mutating func writeCoding(_ conformances: [String]) {
    if conformances.contains("Decodable"), !model.declaresDecoding {
      lines += [
        "", "  \(access)init(from decoder: any Swift.Decoder) throws {",
        "    try self.init(rowFrom: decoder)", "  }",
      ]
    }
    if conformances.contains("Encodable"), !model.declaresEncoding {
      lines += [
        "", "  \(access)func encode(to encoder: any Swift.Encoder) throws {",
        "    try encodeRow(to: encoder)", "  }",
      ]
    }
  }

  private func quoted(_ word: Word) -> String { "\"\(word.text)\"" }
}

extension EntityModel.IDPart {
  fileprivate var name: String { member.name.text }

  /// The name as an argument's label, where keywords need no backticks.
  fileprivate var label: String { member.name.isPlain ? member.name.name : member.name.text }

  /// The names of the part in encoded IDs: its current name, then its old names.
  fileprivate var codedNames: [String] {
    [member.storedName.text] + member.oldNames.map(\.text)
  }
}

/// The names of an ID's parts in encoded IDs. They are needed only if a part has a name that
/// differs from the name of its property, or if a part has old names.
private struct IDNames {
  /// All names, each once.
  private let all: [String]
  /// For each part, the cases of the coding keys for its names. The first case is for the current
  /// name.
  private let cases: [[String]]

  init?(of parts: [EntityModel.IDPart]) {
    if parts.allSatisfy({ $0.codedNames == [$0.member.name.name] }) { return nil }
    let all = parts.flatMap(\.codedNames).reduce(into: [String]()) { all, name in
      if !all.contains(name) { all.append(name) }
    }
    self.all = all
    cases = parts.map { part in
      part.codedNames.compactMap { all.firstIndex(of: $0).map { "name\($0 + 1)" } }
    }
  }

  /// Returns the lines that decode and encode the ID.
  func coding(of parts: [EntityModel.IDPart], access: String) -> [String] {
    var lines = ["", "\(access)init(from decoder: any Swift.Decoder) throws {"]
    lines.append("  let members = try decoder.container(keyedBy: CodingKeys.self)")
    for (part, cases) in zip(parts, cases) {
      var key = ".\(cases[0])"
      if cases.count > 1 {
        let keys = (["CodingKeys.\(cases[0])"] + cases.dropFirst().map { ".\($0)" })
          .joined(separator: ", ")
        key = "[\(keys)].first(where: members.contains) ?? .\(cases[0])"
      }
      lines.append("  self.\(part.name) = try members.decode(\(part.type).self, forKey: \(key))")
    }
    lines += ["}", "", "\(access)func encode(to encoder: any Swift.Encoder) throws {"]
    lines.append("  var members = encoder.container(keyedBy: CodingKeys.self)")
    for (part, cases) in zip(parts, cases) {
      lines.append("  try members.encode(self.\(part.name), forKey: .\(cases[0]))")
    }
    lines += ["}", "", "private enum CodingKeys: Swift.String, Swift.CodingKey {"]
    lines += all.enumerated().map { "  case name\($0 + 1) = \"\($1)\"" }
    return lines + ["}"]
  }
}
