/// Generates the declarations that `@Entity` adds to a struct.
struct EntitySource {
  private let model: EntityModel
  private var lines: [String] = []

  /// Returns the source of the members that declare the ID. They are no part of the extension,
  /// where types that are nested beside the struct have longer names.
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
    let inheritance = conformances.isEmpty ? "" : ": \(conformances.joined(separator: ", "))"
    let head = model.availability + ["extension \(type)\(inheritance) {"]
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
    lines.append("\(access)struct ID: Hashable, Codable, Sendable {")
    for part in parts {
      let access = part.member.access.map { "\($0) " } ?? ""
      lines.append("  \(access)let \(part.name): \(part.type)")
    }
    // The implicit initializer is at most internal.
    if let access = model.access, access != "fileprivate",
      parts.allSatisfy({ [access, "public"].contains($0.member.access) })
    {
      let parameters = parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      lines += ["", "  \(access) init(\(parameters)) {"]
      lines += parts.map { "    self.\($0.name) = \($0.name)" }
      lines.append("  }")
    }
    let arguments = parts.map { "\($0.name): self.\($0.name)" }.joined(separator: ", ")
    lines += ["}", "", "\(access)var id: ID { ID(\(arguments)) }"]
  }

  // MARK: Rows

  private mutating func writeReading() {
    lines.append("  \(access)init(row: inout some RowReader & ~Copyable) throws {")
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
    // A missing member is `nil`, and not an optional that contains `nil`.
    let present = member.isOptionalTwice ? "valueIfPresent" : "memberIfPresent"
    // The initializer has assigned the declared values already.
    return switch (member.hasDefault, member.isOptional) {
    case (false, false): ["    \(place) = try row.member(\(key))"]
    case (false, true): ["    \(place) = try row.\(present)(\(key))"]
    case (true, false): ["    \(place) = try row.memberIfPresent(\(key)) ?? \(place)"]
    case (true, true):
      ["    if row.hasMember(\(key)) { \(place) = try row.\(present)(\(key)) }"]
    }
  }

  private mutating func writeWriting() {
    lines.append("  \(access)func write(to row: inout some RowWriter & ~Copyable) throws {")
    lines += each { member in
      if member.isTransient { return [] }
      let isNullable = member.isOptional && member.hasDefault
      let method = isNullable ? "setNullableMember" : "setMember"
      return ["    try row.\(method)(\(quoted(member.storedName)), to: self.\(member.name.text))"]
    }
    lines += ["  }", ""]
  }

  private mutating func writeMerging() {
    lines += [
      "  \(access)init(",
      "    merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,",
      "    by merger: inout RowMerger",
      "  ) {",
    ]
    lines += each { member in
      let name = member.name.text
      return [
        "    self.\(name) = merger.merged("
          + "\(quoted(member.storedName)), mine.\(name), theirs.\(name), base: base.\(name))"
      ]
    }
    lines.append("  }")
  }

  private mutating func writeCoding(_ conformances: [String]) {
    if conformances.contains("Decodable") {
      lines += [
        "", "  \(access)init(from decoder: any Decoder) throws {",
        "    try self.init(rowFrom: decoder)", "  }",
      ]
    }
    if conformances.contains("Encodable") {
      lines += [
        "", "  \(access)func encode(to encoder: any Encoder) throws {",
        "    try encodeRow(to: encoder)", "  }",
      ]
    }
  }

  private func quoted(_ word: Word) -> String { "\"\(word.text)\"" }
}

extension EntityModel.IDPart {
  fileprivate var name: String { member.name.text }
}
