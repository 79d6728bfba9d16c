/// Generates the extension that `@Entity` adds to a struct.
struct EntitySource {
  private let model: EntityModel
  private var lines: [String] = []

  /// Returns the source of the extension of `type` that adds `conformances`.
  static func extending(
    _ type: String, with conformances: [String], _ model: EntityModel
  ) -> String {
    var source = EntitySource(model: model)
    source.writeIdentity()
    source.writeReading()
    source.writeWriting()
    source.writeMerging()
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
        "  \(access)typealias EntityIDRawType = \(type)", "",
        "  \(access)var entityID: EntityID { EntityID(self.\(member.name.text)) }", "",
      ]
      if !model.declaresID {
        lines += ["  \(access)var id: \(type) { self.\(member.name.text) }", ""]
      }
    case .members(let members): writeIDType(of: members)
    }
  }

  private mutating func writeIDType(of parts: [EntityModel.IDPart]) {
    lines.append("  \(access)struct ID: Hashable, Codable, Sendable {")
    for part in parts {
      let access = part.member.access.map { "\($0) " } ?? ""
      lines.append("    \(access)let \(part.name): \(part.type)")
    }
    // The implicit initializer is at most internal.
    if let access = model.access, access != "fileprivate",
      parts.allSatisfy({ [access, "public"].contains($0.member.access) })
    {
      let parameters = parts.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
      lines += ["", "    \(access) init(\(parameters)) {"]
      lines += parts.map { "      self.\($0.name) = \($0.name)" }
      lines.append("    }")
    }
    let arguments = parts.map { "\($0.name): self.\($0.name)" }.joined(separator: ", ")
    lines += ["  }", "", "  \(access)var id: ID { ID(\(arguments)) }", ""]
  }

  // MARK: Rows

  private mutating func writeReading() {
    // An opaque type has no name that could hide one of the user's types in a declared value.
    lines.append("  \(access)init(row: inout some RowReader & ~Copyable) throws {")
    lines += each { member in
      member.isTransient ? [] : ["    self.\(member.name.text) = try \(reading(member))"]
    }
    lines += ["  }", ""]
  }

  private func reading(_ member: EntityMember) -> String {
    let oldNames = member.oldNames.map { quoted($0) }.joined(separator: ", ")
    let name = quoted(member.storedName)
    let key = oldNames.isEmpty ? name : "row.name(\(name), or: \(oldNames))"
    guard let value = member.defaultValue.map(Self.operand) else {
      return member.isOptional ? "row.memberIfPresent(\(key))" : "row.member(\(key))"
    }
    if member.isOptional {
      return "row.hasMember(\(key)) ? row.memberIfPresent(\(key)) : \(value)"
    }
    return "row.memberIfPresent(\(key)) ?? \(value)"
  }

  private mutating func writeWriting() {
    lines.append("  \(access)func write(to row: inout some RowWriter & ~Copyable) throws {")
    lines += each { member in
      if member.isTransient { return [] }
      let isNullable = member.isOptional && member.defaultValue != nil
      let method = isNullable ? "setNullableMember" : "setMember"
      return ["    try row.\(method)(\(quoted(member.storedName)), to: self.\(member.name.text))"]
    }
    lines += ["  }", ""]
  }

  private mutating func writeMerging() {
    lines += [
      "  \(access)init(",
      "    merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger",
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

  private func quoted(_ word: Word) -> String { "\"\(word.text)\"" }

  /// Returns a value as an operand of `??`.
  private static func operand(_ value: String) -> String {
    let source = SourceBytes(value)
    var parser = DeclarationParser(source)
    // These are expressions only where nothing is beside them.
    if ["if", "switch", "do"].contains(parser.current.text) { return "{ \(value) }()" }
    while !parser.isAtEnd {
      let isWord = ["is", "as", "try", "await"].contains(parser.current.text)
      if parser.current.kind == .operator || isWord { return "(\(value))" }
      parser.skipGroup()
    }
    return value
  }
}

extension EntityModel.IDPart {
  fileprivate var name: String { member.name.text }
}
