/// `@Entity`: turns a struct into an entity whose members are read, written and merged by generated
/// code.
enum EntityMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.role {
    case "member": members(request)
    case "extension": conformances(request)
    default: .unsupportedRole(request)
    }
  }

  /// Returns the members that declare the ID. `conformances(_:)` reports the problems.
  private static func members(_ request: AttachedExpansion) -> MacroExpansion {
    let place = request.declaration
    var source = ""
    if let declaration = DeclarationParser.parse(SourceBytes(place.source)),
      declaration.keyword.text == "struct"
    {
      let reader = EntityReader.read(
        declaration, in: place, contexts: request.contexts, missing: [])
      if reader.canExpand { source = EntitySource.members(of: reader.model) }
    }
    return MacroExpansion(source: source, place: place)
  }

  private static func conformances(_ request: AttachedExpansion) -> MacroExpansion {
    let place = request.declaration
    let parsed = DeclarationParser.parse(SourceBytes(place.source))
    guard let declaration = parsed, declaration.keyword.text == "struct" else {
      let diagnostic = Diagnostic.notAStruct(
        parsed, place, "'@Entity' needs a struct, because an entity is a plain value")
      return MacroExpansion(diagnostics: [diagnostic], place: place)
    }
    let missing = missingConformances(request)
    let reader = EntityReader.read(
      declaration, in: place, contexts: request.contexts, missing: missing)
    let type = request.extendedTypeName ?? declaration.nominal?.name.text
    let source = type.map { type in
      EntitySource.extending(
        type, with: missing.filter { $0 != "Identifiable" || reader.model.hasID }, reader.model)
    }
    return MacroExpansion(
      source: reader.canExpand ? source : "", diagnostics: reader.diagnostics, place: place)
  }

  /// Returns the conformances that the compiler reports as missing.
  private static func missingConformances(_ request: AttachedExpansion) -> [String] {
    let source = SourceBytes(request.conformanceList?.source ?? "")
    let list = DeclarationParser.parse(source)?.nominal?.inheritance.map(source.text) ?? ""
    let names = Lexer.tokens(of: SourceBytes(list)).map(\.text)
    return ["EntityType", "Identifiable", "RowCodable", "Decodable", "Encodable"]
      .filter(names.contains)
  }
}

/// `@Stored`: a marker of a stored member, which `@Entity` reads.
enum StoredMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    guard request.role == "peer" else { return .unsupportedRole(request) }
    let place = request.declaration
    guard request.lexicalContext != nil, request.contexts.first??.hasAttribute("Entity") != true
    else { return MacroExpansion(source: "", place: place) }
    let attribute = DeclarationParser.parse(SourceBytes(place.source))?.attributes.first {
      $0.name == "Stored"
    }
    return .refused(
      "'@Stored' works only in the body of a struct marked '@Entity'; mark the struct, or remove "
        + "'@Stored'",
      at: attribute?.range, in: place)
  }
}
