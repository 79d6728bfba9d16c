/// Generates the members that `@NormalizedStorage` adds to a storage.
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
    lines.append("\(access)struct Contents: StorageContents {")
    lines += each(model.parts) { property in
      let type = property.type.map { ": \($0)" } ?? ""
      return ["  \(prefix(property.access))var \(property.name)\(type) = \(property.value)"]
    }
    if !model.parts.isEmpty { lines.append("") }
    lines += ["  \(access)init() {}", ""]
    if model.allowsInlinable, model.properties.allSatisfy({ $0.access == "public" }) {
      lines.append("  @inlinable")
    }
    lines += [
      "  \(access)static func visitParts<Visitor: StorageVisitor>(",
      "    _ visitor: inout Visitor",
      "  ) where Visitor.Contents == Self {",
    ]
    lines += each(model.parts) { property in
      [
        "    visitor.\(property.marker.visitorMethod)("
          + "\(Self.literal(property.name.withoutBackticks)), \\.\(property.name))"
      ]
    }
    lines.append("  }")
    let declarations = TableDeclarations(model)
    lines += declarations.entityIDPaths(access, each).map {
      $0.hasPrefix("#") || $0.isEmpty ? $0 : "  \($0)"
    }
    let tables = declarations.lines(each)
    if !tables.isEmpty { lines.append("") }
    lines += tables.map { $0.hasPrefix("#") || $0.isEmpty ? $0 : "  \($0)" }
    lines.append("}")
  }

  private mutating func writeSnapshot() {
    lines += ["", "\(access)var snapshot: Snapshot<Contents> = Snapshot(Contents())"]
    // The implicit initializers are internal, and do not exist if the struct declares one.
    let needsInitializer =
      model.declaresInitializer ? !model.declaresEmptyInitializer : model.access != nil
    if needsInitializer { lines += ["", "\(access)init() {}"] }
    let canRefuse = model.finalizeThrows || model.properties.contains(where: \.canRefuse)
    if canRefuse, !model.declaresRefusal {
      lines += ["", "\(access)typealias Refusal = any Error"]
    }
  }

  /// Returns the lines for each property, inside the same conditions as in the user's code.
  private func each(
    _ parts: [StoragePart], _ lines: (StorageProperty) -> [String]
  ) -> [String] {
    parts.flatMap { part in
      switch part {
      case .property(let property): lines(property)
      case .conditional(let clauses):
        clauses.flatMap { [$0.directive] + each($0.parts, lines) } + ["#endif"]
      }
    }
  }

  /// Returns a string literal of a text without line breaks.
  static func literal(_ text: String) -> String {
    let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }
}
