/// The common expansion of all markers: turns a stored property into a computed one that reads the
/// snapshot.
enum MarkerExpansion {
  /// Expands `marker`.
  ///
  /// `@NormalizedStorage` reports the problems of the properties in its struct, because that macro
  /// has access to all properties. This function reports the problems of other properties.
  static func expand(_ marker: Marker, _ request: AttachedExpansion) -> MacroExpansion {
    guard request.role == "accessor" else { return .unsupportedRole(request) }
    let place = request.declaration
    let source = SourceBytes(place.source)
    guard let declaration = DeclarationParser.parse(source) else {
      return .refused(
        "'\(marker.attribute)' marks a stored property, such as '\(marker.example)'", in: place)
    }
    let contexts = request.lexicalContext?.map { DeclarationParser.parse(SourceBytes($0.source)) }
    if let contexts, contexts.first??.isMarkedAsStorage != true {
      let attribute = declaration.markers.first { $0.marker == marker }?.attribute
      return .refused(
        "'\(marker.attribute)' works only in the body of a struct marked "
          + "'@NormalizedStorage'; move this property there",
        at: attribute?.range, in: place)
    }
    // `@NormalizedStorage` does not expand a hidden storage, so it has no `snapshot` to read.
    if let context = request.lexicalContext?.first, let storage = contexts?.first.flatMap({ $0 }),
      contexts?.count != 1, StorageReader.isHidden(storage, in: SourceBytes(context.source))
    {
      return MacroExpansion(place: place)
    }
    let check = PropertyDiagnostics(declaration: declaration, source: source)
    guard let property = check.property, declaration.markers.first?.marker == marker,
      contexts?.first??.keyword.text ?? "struct" == "struct"
    else { return MacroExpansion(place: place) }
    let isInlinable =
      declaration.modifier("public") != nil && (contexts ?? [nil]).allSatisfy(isPublicType)
    let inlinable = isInlinable ? "@inlinable " : ""
    return MacroExpansion(
      source: "{\n  \(inlinable)get { snapshot.contents.\(property.name) }\n}", place: place)
  }

  /// Whether `declaration` is a public type, in which inlinable code is allowed. An extension does
  /// not count, because the extended type may be internal.
  static func isPublicType(_ declaration: Declaration?) -> Bool {
    guard let declaration, declaration.nominal != nil, declaration.keyword.text != "extension"
    else { return false }
    return declaration.modifier("public", "open") != nil
  }
}

/// A message to the user with a position in the expanded source. Ranges count UTF-8 bytes from the
/// beginning of that source.
struct Diagnostic: Equatable, Sendable {
  enum Severity: String, Sendable {
    case error
    case warning
  }

  /// An additional position to which the message refers.
  struct Note: Equatable, Sendable {
    var message: String
    var offset: Int
  }

  /// A change that corrects the problem.
  struct FixIt: Equatable, Sendable {
    var message: String
    /// The range to replace; empty for an insertion.
    var range: Range<Int>
    var text: String
  }

  var message: String
  var severity = Severity.error
  /// The token to which the message refers.
  var range: Range<Int>
  var notes: [Note] = []
  var fixIts: [FixIt] = []

  init(_ message: String, at range: Range<Int>, notes: [Note] = [], fixIts: [FixIt] = []) {
    self.message = message
    self.range = range
    self.notes = notes
    self.fixIts = fixIts
  }
}

extension Diagnostic {
  /// Returns the error for a macro on a declaration that is not a struct.
  static func notAStruct(
    _ declaration: Declaration?, _ place: SyntaxText, _ reason: String
  ) -> Diagnostic {
    let name = declaration?.nominal.map { "'\($0.name.name)'" } ?? "it"
    var diagnostic = Diagnostic(
      "\(reason); declare \(name) as a struct",
      at: declaration?.keyword.range ?? place.firstTokenRange)
    if let keyword = declaration?.keyword, keyword.text == "class" {
      diagnostic.fixIts = [
        .replace(keyword.range, with: "struct", "Replace 'class' with 'struct'")
      ]
    }
    return diagnostic
  }
}

extension Diagnostic.FixIt {
  /// Returns a fix-it that replaces `range` with `text`.
  static func replace(_ range: Range<Int>, with text: String, _ message: String) -> Self {
    Self(message: message, range: range, text: text)
  }

  /// Returns a fix-it that inserts `text` at `offset`.
  static func insert(_ text: String, at offset: Int, _ message: String) -> Self {
    Self(message: message, range: offset..<offset, text: text)
  }
}
