/// The result of expanding a macro.
struct MacroExpansion: Equatable, Sendable {
  /// The new source; `nil` if this macro or another macro reports a problem.
  var source: String?
  var diagnostics: [Diagnostic]
  /// The source to which the diagnostics' ranges refer.
  var place: SyntaxText

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
