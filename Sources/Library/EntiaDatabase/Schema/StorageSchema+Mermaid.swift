extension StorageSchema {
  /// The schema as an entity-relationship diagram in the Mermaid language.
  ///
  /// Names that Mermaid cannot read are quoted. Quotation marks become apostrophes, and other
  /// characters that cannot be written in Mermaid become underscores.
  public var mermaid: String {
    var lines = ["erDiagram"]
    for table in tables {
      lines.append("  \(MermaidText.name(table.entity)) {")
      let hasID = table.fields.contains { $0.name == table.idKey }
      if !hasID { lines.append("    \(MermaidText.type(table.idType)) \(table.idWord) PK") }
      for field in table.fields {
        let mark = field.name == table.idKey ? " PK" : field.isKey ? " FK" : ""
        lines.append("    \(MermaidText.type(field.type)) \(MermaidText.word(field.name))\(mark)")
      }
      lines.append("  }")
    }
    for relationship in relationships {
      let ends =
        "\(MermaidText.name(relationship.holder)) \(relationship.line) "
        + MermaidText.name(relationship.target)
      let rule = relationship.rules.map { ", \($0.onDelete)" } ?? ""
      lines.append("  \(ends) : \(MermaidText.quoted(relationship.name + rule))")
    }
    return lines.joined(separator: "\n")
  }
}

extension StorageSchema.Table {
  /// The name of the field that is the ID: that of `Identifiable`, unless another is known.
  fileprivate var idKey: String { idName ?? "id" }

  fileprivate var idWord: String { MermaidText.word(idName ?? "entityID") }
}

extension StorageSchema.Field {
  fileprivate var isKey: Bool { type.contains(".EntityID") }
}

extension StorageSchema.Relationship {
  /// The cardinality of both ends, in the notation of Mermaid.
  fileprivate var line: String {
    let holders = (holderLimits.maximum == 1 ? "|" : "}") + (holderLimits.minimum > 0 ? "|" : "o")
    let targets =
      switch kind {
      case .toOne: "||"
      case .optionalToOne: "o|"
      case .orderedToMany, .unorderedToMany: countLimits.minimum > 0 ? "|{" : "o{"
      }
    return "\(holders)--\(targets)"
  }
}

/// Conversions to text that Mermaid parses as intended.
private enum MermaidText {
  static func name(_ name: String) -> String {
    isWord(name) ? name : quoted(name)
  }

  static func quoted(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "'"
      case "%", "\\": "_"
      case _ where scalar.properties.generalCategory == .control: "_"
      default: String(scalar)
      }
    }
    let joined = safe.joined()
    return "\"\(joined.isEmpty ? "_" : joined)\""
  }

  static func word(_ text: String) -> String {
    let safe = String(text.map { isWordCharacter($0) ? $0 : "_" })
    // A word must begin with a letter.
    return safe.first?.isLetter == true ? safe : "x_\(safe)"
  }

  static func type(_ type: String) -> String {
    var text = Substring(type)
    while text.last == "?" { text.removeLast() }
    if text.hasPrefix("["), text.hasSuffix("]"), !text.contains(":") {
      return self.type(String(text.dropFirst().dropLast())) + "[]"
    }
    return word(String(text))
  }

  private static func isWord(_ text: String) -> Bool {
    text.first?.isLetter == true && text.allSatisfy(isWordCharacter)
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }
}
