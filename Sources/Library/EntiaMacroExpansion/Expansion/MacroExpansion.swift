/// The result of expanding a macro.
struct MacroExpansion: Equatable, Sendable {
  /// The new source; `nil` if this macro or another macro reports a problem.
  var source: String?
  var diagnostics: [Diagnostic] = []
  /// The source to which the diagnostics' ranges refer.
  var place: SyntaxText

  /// Returns the result with one problem and no source. Without a range, the problem is at the
  /// first token of `place`.
  static func refused(
    _ message: String, at range: Range<Int>? = nil, in place: SyntaxText
  ) -> MacroExpansion {
    MacroExpansion(
      diagnostics: [Diagnostic(message, at: range ?? place.firstTokenRange)], place: place)
  }

  /// Returns the result for a macro that does not support the role of the request.
  static func unsupportedRole(_ request: AttachedExpansion) -> MacroExpansion {
    refused(
      "'\(request.typeName)' has no '\(request.role)' expansion; use the declarations that come "
        + "with the same version of Entia",
      in: request.attribute ?? request.declaration)
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
