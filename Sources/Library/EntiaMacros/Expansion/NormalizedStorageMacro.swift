/// `@NormalizedStorage`: turns a struct into a database with the tables, indexes, relationships and
/// checks that its properties declare.
enum NormalizedStorageMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.role {
    case "member": members(request)
    case "extension": conformance(request)
    default: .unsupportedRole(request)
    }
  }

  private static func members(_ request: AttachedExpansion) -> MacroExpansion {
    let place = request.declaration
    let source = SourceBytes(place.source)
    guard let declaration = DeclarationParser.parse(source), declaration.keyword.text == "struct"
    else {
      let diagnostic = Diagnostic.notAStruct(
        DeclarationParser.parse(source), place,
        "'@NormalizedStorage' needs a struct, because a storage is a plain value")
      return MacroExpansion(source: nil, diagnostics: [diagnostic], place: place)
    }
    let reader = StorageReader.read(declaration, in: place, contexts: request.contexts)
    return MacroExpansion(
      source: reader.canExpand ? StorageSource.members(of: reader.model) : nil,
      diagnostics: reader.diagnostics, place: place)
  }

  /// Returns the conformance, if the compiler reports that the struct does not have it. If the
  /// struct has problems, the member expansion reports them, and no conformance is generated: it
  /// could not be satisfied, and would only cause further errors.
  private static func conformance(_ request: AttachedExpansion) -> MacroExpansion {
    let missing = request.conformanceList.flatMap {
      DeclarationParser.parse(SourceBytes($0.source))?.nominal?.inheritance
    }
    let type = missing == nil ? nil : conformingType(request)
    return MacroExpansion(
      source: type.map { "extension \($0): NormalizedStorageType {}" } ?? "", diagnostics: [],
      place: request.declaration)
  }

  private static func conformingType(_ request: AttachedExpansion) -> String? {
    let source = SourceBytes(request.declaration.source)
    guard let declaration = DeclarationParser.parse(source), declaration.keyword.text == "struct",
      StorageReader.read(declaration, in: request.declaration, contexts: request.contexts)
        .canExpand
    else { return nil }
    return request.extendedTypeName ?? declaration.nominal?.name.text
  }
}

extension AttachedExpansion {
  /// The declarations around this one, innermost first.
  var contexts: [Declaration?] {
    (lexicalContext ?? []).map { DeclarationParser.parse(SourceBytes($0.source)) }
  }

  /// The name of the extended type, without comments around it.
  var extendedTypeName: String? {
    guard let extendedType else { return nil }
    let source = SourceBytes(extendedType.source)
    var parser = DeclarationParser(source)
    return parser.parseType().map(source.text) ?? extendedType.source
  }
}

/// The result of expanding a macro.
struct MacroExpansion: Equatable, Sendable {
  /// The new source; `nil` if this macro or another macro reports a problem.
  var source: String?
  var diagnostics: [Diagnostic]
  /// The source to which the diagnostics' ranges refer.
  var place: SyntaxText

  /// Expands the macro of `request`.
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.typeName {
    case "NormalizedStorageMacro": return NormalizedStorageMacro.expand(request)
    case "TableMacro": return MarkerExpansion.expand(.table, request)
    case "IndexMacro": return MarkerExpansion.expand(.index, request)
    case "CheckMacro": return MarkerExpansion.expand(.check, request)
    case "RelationshipMacro": return MarkerExpansion.expand(.relationship, request)
    case "TransientMacro": return TransientMacro.expand(request)
    case "EntityMacro": return EntityMacro.expand(request)
    case "StoredMacro": return StoredMacro.expand(request)
    default:
      let place = request.attribute ?? request.declaration
      return MacroExpansion(
        source: nil,
        diagnostics: [
          Diagnostic(
            "Entia's compiler plugin has no macro '\(request.typeName)'; use the declarations that "
              + "come with the same version of Entia",
            at: place.firstTokenRange)
        ],
        place: place)
    }
  }

  /// Returns the result for a macro that does not support the role of the request.
  static func unsupportedRole(_ request: AttachedExpansion) -> MacroExpansion {
    let place = request.attribute ?? request.declaration
    return MacroExpansion(
      source: nil,
      diagnostics: [
        Diagnostic(
          "'\(request.typeName)' has no '\(request.role)' expansion; use the declarations that come "
            + "with the same version of Entia",
          at: place.firstTokenRange)
      ],
      place: place)
  }
}

extension SyntaxText {
  /// The range of the first token, after leading comments and white space.
  var firstTokenRange: Range<Int> {
    Lexer.tokens(of: SourceBytes(source)).first?.range ?? 0..<0
  }
}
