/// What the expansion of a macro gives.
struct MacroExpansion: Equatable, Sendable {
  /// The new source; nil when there can be none, which only makes sense beside a diagnostic.
  var source: String?
  var diagnostics: [Diagnostic]
  /// The source that the diagnostics' ranges count in.
  var place: SyntaxText

  /// Expands the macro that `request` names.
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.typeName {
    case "NormalizedStorageMacro": return NormalizedStorageMacro.expand(request)
    case "TableMacro": return TableMacro.expand(request)
    case "IndexMacro": return IndexMacro.expand(request)
    case "CheckMacro": return CheckMacro.expand(request)
    case "RelationshipMacro": return RelationshipMacro.expand(request)
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

  /// The answer when a macro is asked for a kind of expansion it does not make.
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
  /// Where the first token stands, behind the leading comments and white space.
  var firstTokenRange: Range<Int> {
    Lexer.tokens(of: SourceBytes(source)).first?.range ?? 0..<0
  }
}
