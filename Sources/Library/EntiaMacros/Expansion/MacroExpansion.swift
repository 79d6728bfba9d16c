/// The result of expanding a macro.
struct MacroExpansion: Equatable, Sendable {
  /// The new source; `nil` if there is none, because of a problem that this macro or another one
  /// reports.
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
