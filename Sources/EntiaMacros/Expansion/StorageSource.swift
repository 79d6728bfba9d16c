/// Writes what `@NormalizedStorage` adds to a storage: what one would write by hand.
struct StorageSource {
  private let model: StorageModel
  private var lines: [String] = []

  /// The members that `model` needs.
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
      "  \(prefix(property.access))var \(property.name): \(property.type) = \(property.value)"
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
      "    visitor.\(property.marker.visitorMethod)(\(Self.literal(property.name)), "
        + "\\.\(property.name))"
    }
    lines += ["  }", "}"]
  }

  private mutating func writeSnapshot() {
    lines += ["", "\(access)var snapshot: Snapshot<Contents> = Snapshot(Contents())"]
    // Swift's own initializers are internal; what is public needs one that is.
    if model.access != nil, !model.declaresInitializer { lines += ["", "\(access)init() {}"] }
    let canRefuse = model.properties.contains { $0.marker != .table }
    if canRefuse, !model.declaresRefusal {
      lines += ["", "\(access)typealias Refusal = any Error"]
    }
  }

  /// One line for each property, between the same conditions that the user wrote around it.
  private func each(
    _ parts: [StoragePart], _ line: (StorageProperty) -> String
  ) -> [String] {
    parts.flatMap { part in
      switch part {
      case .property(let property): [line(property)]
      case .conditional(let clauses):
        clauses.flatMap { [$0.directive] + each($0.parts, line) } + ["#endif"]
      }
    }
  }

  /// The name as a string literal. A name in backticks may hold quotation marks, but no backslash.
  private static func literal(_ name: String) -> String {
    let escaped = name.withoutBackticks.map { $0 == "\"" ? "\\\"" : String($0) }
    return "\"\(escaped.joined())\""
  }
}
