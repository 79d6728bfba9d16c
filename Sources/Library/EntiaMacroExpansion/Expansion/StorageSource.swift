/// Generates the members that `@NormalizedStorage` adds to a storage.
///
/// Names of other modules are qualified, because the user's module may have types with these names.
struct StorageSource {
  private let model: StorageModel
  private var lines: [String] = []

  /// Returns the source of the members for `model`.
  static func members(of model: StorageModel) -> String {
    var source = StorageSource(model: model)
    source.writeContents()
    source.writeSnapshot()
    return source.lines.joined(separator: "\n")
  }

  private init(model: StorageModel) {
    self.model = model
  }

  private var access: String { prefix(model.access) }

  private func prefix(_ modifier: String?) -> String {
    modifier.map { "\($0) " } ?? ""
  }

  private mutating func writeContents() {
    lines.append("\(access)struct Contents: EntiaDatabase.StorageContents {")
    lines += StoragePart.each(model.parts) { property in
      let type = property.type.map { ": \($0)" } ?? ""
      return ["  \(prefix(property.access))var \(property.name)\(type) = \(property.value)"]
    }
    if !model.parts.isEmpty { lines.append("") }
    lines += ["  \(access)init() {}", ""]
    if model.allowsInlinable, model.properties.allSatisfy({ $0.access == "public" }) {
      lines.append("  @inlinable")
    }
    lines += [
      "  \(access)static func visitParts<Visitor: EntiaDatabase.StorageVisitor>(",
      "    _ visitor: inout Visitor",
      "  ) where Visitor.Contents == Self {",
    ]
    lines += StoragePart.each(model.parts) { property in
      [
        "    visitor.\(property.marker.visitorMethod)("
          + "\(Self.literal(property.name.withoutBackticks)), \\.\(property.name))"
      ]
    }
    lines.append("  }")
    let declarations = TableDeclarations(model)
    lines += declarations.entityIDPaths(access).map {
      $0.hasPrefix("#") || $0.isEmpty ? $0 : "  \($0)"
    }
    let tables = declarations.lines()
    if !tables.isEmpty { lines.append("") }
    lines += tables.map { $0.hasPrefix("#") || $0.isEmpty ? $0 : "  \($0)" }
    lines.append("}")
  }

  private mutating func writeSnapshot() {
    lines += ["", "\(access)var snapshot: EntiaDatabase.Snapshot<Contents> = .init(Contents())"]
    // The implicit initializers are internal. A struct that declares an initializer does not have
    // them.
    let needsInitializer =
      model.declaresInitializer ? !model.declaresEmptyInitializer : model.access != nil
    if needsInitializer { lines += ["", "\(access)init() {}"] }
    let canRefuse = model.finalizeThrows || model.properties.contains(where: \.canRefuse)
    if canRefuse, !model.declaresRefusal {
      lines += ["", "\(access)typealias Refusal = any Swift.Error"]
    }
  }

  /// Returns a string literal with the given text. The text must not contain line breaks.
  static func literal(_ text: String) -> String {
    let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }
}

/// Declarations by which the type checker detects two errors: two tables of one entity type, and a
/// part whose entity type has no table. A macro compares only the text of types. The type checker
/// also resolves other names of a type, such as a typealias.
///
/// Each table adds an overload of `table(of:)` for its entity type. The compiler reports two tables
/// of one type as a redeclaration. A part that is not a table adds a call of `table(of:)` for each
/// of its entity types. If no table has the entity type, the call resolves to an unavailable
/// overload. The call is omitted if a table outside all `#if` blocks has an entity type with the
/// same text.
struct TableDeclarations {
  private static let name = "table"

  private let model: StorageModel
  /// The entity types of tables outside `#if` blocks, by their text.
  private let plainEntities: Set<String>

  init(_ model: StorageModel) {
    self.model = model
    plainEntities = Set(
      model.parts.compactMap { part in
        guard case .property(let property) = part, property.marker == .table else { return nil }
        return property.entities.first?.text
      })
  }

  /// Returns the lines of the declarations, without indentation; empty if no check is needed.
  func lines() -> [String] {
    let used = model.properties.flatMap(uses)
    let tables = model.properties.filter { $0.marker == .table }
    guard tables.count > 1 || !used.isEmpty else { return [] }
    var lines = StoragePart.each(model.parts) { property in
      guard property.marker == .table, !property.isSecondTable else { return [] }
      return SourceLine.located(
        property.line,
        property.entities.map { "private static func \(Self.name)(of _: \($0.text).Type) {}" })
    }
    guard !used.isEmpty else { return lines }
    lines += missingTables
    lines += ["", "private static func requireTables() {"]
    lines += StoragePart.each(model.parts) { property in
      SourceLine.located(
        property.line, uses(of: property).map { "  \(Self.name)(of: \($0.text).self)" })
    }
    return lines + ["}"]
  }

  /// Returns the lines of `entityIDPaths`, without indentation; empty if there are no tables, or a
  /// table was refused.
  ///
  /// The key paths are generated where the entity types are concrete. A key path in generic code
  /// would differ from the key path in a user's predicate.
  func entityIDPaths(_ access: String) -> [String] {
    guard !model.hasRefusedTable, model.properties.contains(where: { $0.marker == .table }) else {
      return []
    }
    let paths = StoragePart.each(model.parts) { property in
      guard property.marker == .table, !property.isSecondTable else { return [] }
      return property.entities.map { "  paths.append(\\\($0.text).entityID)" }
    }
    return [
      "", "\(access)static var entityIDPaths: [Swift.AnyKeyPath] {",
      "  var paths: [Swift.AnyKeyPath] = []",
    ]
      + paths + ["  return paths", "}"]
  }

  private var missingTables: [String] {
    var lines = [
      unavailable("a part is of an entity type that has no table in this storage; add its table"),
      "private static func \(Self.name)<Row: EntiaDatabase.EntityType>("
        + "of _: Row.Type, _: Void = ()) {}",
    ]
    var seen: Set<String> = []
    for case .property(let property) in model.parts {
      for entity in uses(of: property)
      where entity.isLiteral && seen.insert(entity.text).inserted {
        lines += [
          unavailable(
            "'\(entity.text)' has no table in this storage; add '@Table var rows: "
              + "Tables.Hash<\(entity.text)> = .init()'"),
          "private static func \(Self.name)(of _: \(entity.text).Type, _: Void = ()) {}",
        ]
      }
    }
    return lines
  }

  private func unavailable(_ message: String) -> String {
    "@available(*, unavailable, message: \(StorageSource.literal(message)))"
  }

  /// Returns the entity types for which a part needs a table, except types that certainly have one.
  private func uses(of property: StorageProperty) -> [EntityText] {
    // If a table was refused, no part requires a table. This avoids errors about the missing table
    // in every part that needs the refused table.
    guard property.marker != .table, !model.hasRefusedTable else { return [] }
    return property.entities.filter { !plainEntities.contains($0.text) }
  }
}

/// The source code of an entity type.
struct EntityText: Equatable, Sendable {
  var text: String
  /// Whether the text is the name in the user's code, rather than a member type such as
  /// `Part.Entity`.
  var isLiteral = true
}

extension StorageProperty {
  /// The entity types of a part, parsed from its text.
  fileprivate var entities: [EntityText] {
    guard let type else { return [] }
    let members: [String]
    switch marker {
    case .table, .index: members = ["Entity"]
    case .relationship: members = ["Holder", "Target"]
    case .check:
      guard let check = PartType(type), check.names == ["Checks", "Entity"] else { return [] }
      return check.arguments.prefix(1).map { EntityText(text: $0) }
    }
    if let part = PartType(type), part.names == ["Indexes", "Responses"],
      part.arguments.count == 2
    {
      // The first argument is the type of the requests.
      return [EntityText(text: part.arguments[1])]
    }
    if let part = PartType(type), part.arguments.count >= members.count {
      return part.arguments.prefix(members.count).map { EntityText(text: $0) }
    }
    return members.map { EntityText(text: "\(type).\($0)", isLiteral: false) }
  }
}
