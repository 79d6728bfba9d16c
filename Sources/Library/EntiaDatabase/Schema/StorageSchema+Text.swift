extension StorageSchema: CustomStringConvertible {
  /// The schema as text, with one line for each table, field, relationship, index and check.
  public var description: String {
    var lines = [name]
    if !tables.isEmpty { lines += ["", "tables:"] + tables.flatMap(\.lines) }
    if !relationships.isEmpty {
      lines += ["", "relationships:"] + relationships.map { "  \($0)" }
    }
    if !indexes.isEmpty { lines += ["", "indexes:"] + indexes.map { "  \($0)" } }
    if !checks.isEmpty { lines += ["", "checks:"] + checks.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }
}

extension StorageSchema.Table {
  fileprivate var lines: [String] {
    let entity = self.entity == name ? "" : " of \(self.entity)"
    let id = idName.map { "in \($0)" } ?? idType
    return ["  \(name)\(entity), ID \(id)\(isOrdered ? ", ordered" : "")"]
      + fields.map { "    \($0.name): \($0.type)" }
  }
}

extension StorageSchema.Relationship: CustomStringConvertible {
  /// The relationship on one line.
  public var description: String {
    var parts = ["\(name): \(holder) -> \(target), \(kind)"]
    if countLimits != .any { parts.append(countLimits.description) }
    if holderLimits != .any { parts.append("holders: \(holderLimits)") }
    if isRequired { parts.append("required") }
    if let rules {
      parts.append("on delete \(rules.onDelete)")
      if rules.onHolderDelete == .cascade { parts.append("on delete of the holder cascade") }
    }
    return parts.joined(separator: "; ")
  }
}

extension StorageSchema.Index: CustomStringConvertible {
  /// The index on one line.
  public var description: String {
    let key = fields.isEmpty ? "" : " by \(fields.joined(separator: ", "))"
    let rows =
      switch coverage {
      case .allRows: ""
      case .rowsWithKey: "; rows that have it"
      case .acceptedRows: fields.isEmpty ? "" : "; some rows"
      }
    return "\(name): \(kind) of \(entity)\(key)\(rows)"
  }
}

extension StorageSchema.Check: CustomStringConvertible {
  /// The check on one line.
  public var description: String { "\(name): \(rule)" }
}
