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
      let diagnostic = notAStruct(DeclarationParser.parse(source), place)
      return MacroExpansion(source: nil, diagnostics: [diagnostic], place: place)
    }
    let reader = StorageReader.read(declaration, in: place, contexts: contexts(of: request))
    return MacroExpansion(
      source: reader.canExpand ? StorageSource.members(of: reader.model) : nil,
      diagnostics: reader.diagnostics, place: place)
  }

  private static func notAStruct(_ declaration: Declaration?, _ place: SyntaxText) -> Diagnostic {
    let name = declaration?.nominal.map { "'\($0.name.name)'" } ?? "it"
    var diagnostic = Diagnostic(
      "'@NormalizedStorage' needs a struct, because a storage is a plain value; declare \(name) as "
        + "a struct",
      at: declaration?.keyword.range ?? place.firstTokenRange)
    if let keyword = declaration?.keyword, keyword.text == "class" {
      diagnostic.fixIts = [
        .replace(keyword.range, with: "struct", "Replace 'class' with 'struct'")
      ]
    }
    return diagnostic
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
      StorageReader.read(declaration, in: request.declaration, contexts: contexts(of: request))
        .canExpand
    else { return nil }
    return request.extendedType.map { typeName($0.source) } ?? declaration.nominal?.name.text
  }

  private static func contexts(of request: AttachedExpansion) -> [Declaration?] {
    (request.lexicalContext ?? []).map { DeclarationParser.parse(SourceBytes($0.source)) }
  }

  private static func typeName(_ source: String) -> String {
    let bytes = SourceBytes(source)
    var parser = DeclarationParser(bytes)
    return parser.parseType().map(bytes.text) ?? source
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
