/// Reads a property with `@Transient`, and checks whether it is declared correctly.
struct TransientReader {
  private(set) var diagnostics: [Diagnostic] = []
  /// The member; `nil` if its declaration prevents it from being transient.
  private(set) var member: TransientProperty?

  private static let example = "@Transient var isExpanded = false"

  init(_ request: AttachedExpansion) {
    let place = request.declaration
    let source = SourceBytes(place.source)
    guard let declaration = DeclarationParser.parse(source), declaration.keyword.text == "var",
      declaration.bindings.count == 1, let binding = declaration.bindings.first, !binding.isTuple
    else {
      report(
        "'@Transient' marks one stored property that is a 'var', as in '\(Self.example)'",
        at: place.firstTokenRange)
      return
    }
    guard checkStorage(of: declaration, binding) else { return }
    let name = binding.name.name
    guard let entity = checkContext(request, at: binding.name.range) else { return }
    let type = binding.type.map { Lexer.replacingSelf(in: source.text($0), by: entity) }
    guard let value = binding.value.map(source.text) ?? type.flatMap(Self.implicitValue) else {
      report(
        "'\(name)' needs an initial value, which decoding assigns, as in '\(Self.example)'",
        at: binding.name.range)
      return
    }
    guard let type = type ?? LiteralType.of(value) else {
      report(
        "'\(name)' needs an explicit type, as in '@Transient var date: Date = .now': macros "
          + "cannot see inferred types",
        at: binding.name.range)
      return
    }
    member = TransientProperty(
      name: binding.name, type: type, value: value,
      line: binding.value.flatMap { place.sourceLine(at: $0.lowerBound) })
  }

  private mutating func report(_ message: String, at range: Range<Int>) {
    diagnostics.append(Diagnostic(message, at: range))
  }

  private mutating func checkStorage(of declaration: Declaration, _ binding: Binding) -> Bool {
    let name = binding.name.name
    if let accessors = binding.accessors {
      let reason = accessors.kind == .observers ? "calls no observers" : "is stored"
      report(
        "'\(name)' \(reason), because it is transient; remove its accessors or '@Transient'",
        at: binding.name.range)
      return false
    }
    let wrong = declaration.modifiers.first {
      ["static", "class", "lazy", "weak", "unowned"].contains($0.name)
    }
    if let wrong {
      report(
        "'\(name)' is stored in each row; remove '\(wrong.name)' or '@Transient'", at: wrong.range)
    }
    return wrong == nil
  }

  /// Returns the name of the struct to which the member belongs. If the member does not belong to a
  /// struct, reports the member and returns `nil`.
  private mutating func checkContext(
    _ request: AttachedExpansion, at range: Range<Int>
  ) -> Word? {
    let context = request.lexicalContext?.first.map { SourceBytes($0.source) }
    if let declaration = context.flatMap(DeclarationParser.parse),
      declaration.keyword.text == "struct", let name = declaration.nominal?.name
    {
      return name
    }
    report("'@Transient' marks a stored property of a struct that is an entity", at: range)
    return nil
  }

  /// Returns the implicit initial value of a type as source code: `"nil"` for an optional; `nil`
  /// for any other type.
  private static func implicitValue(of type: String) -> String? {
    type.hasSuffix("?") ? "nil" : nil
  }
}

/// `@Transient`: turns a property of an entity into a computed one, which reads and writes a stored
/// member that is not encoded.
enum TransientMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    let reader = TransientReader(request)
    guard let member = reader.member else {
      // The compiler requests two expansions, an accessor and a peer. Only the peer reports
      // problems.
      let diagnostics = request.role == "peer" ? reader.diagnostics : []
      return MacroExpansion(diagnostics: diagnostics, place: request.declaration)
    }
    switch request.role {
    case "accessor":
      return MacroExpansion(source: accessors(of: member), place: request.declaration)
    case "peer":
      return MacroExpansion(source: storage(of: member), place: request.declaration)
    default: return .unsupportedRole(request)
    }
  }

  private static func accessors(of member: TransientProperty) -> String {
    """
    {
      @storageRestrictions(initializes: \(member.storage))
      init(initialValue) { \(member.storage) = .init(initialValue) }
      get { \(member.storage).value }
      _modify { yield &\(member.storage).value }
    }
    """
  }

  // The default type is private, because the member's type may be private. The declared value is a
  // static property of the entity, because names in the value refer to members of the entity.
  private static func storage(of member: TransientProperty) -> String {
    // At the beginning of a line, `#line` would be a directive.
    let value = SourceLine.starting(member.line, "  return \(member.value)")
    return """
      private var \(member.storage): EntiaDatabase.TransientMember<\(member.defaultType)>
      private static var \(member.declaredValue): \(member.type) {
      \(value.joined(separator: "\n"))
      }
      private enum \(member.defaultType): EntiaDatabase.TransientMemberDefault {
        static var value: \(member.type) { \(member.declaredValue) }
      }
      """
  }
}

/// A transient member of an entity.
struct TransientProperty: Equatable, Sendable {
  /// The name in source code, with backticks if it needs them.
  var name: Word
  var type: String
  var value: String
  /// The source line of the value; `nil` if it is unknown, or if the value is not written.
  var line: SourceLine?

  /// The name of the generated stored property.
  var storage: String { quoted("_\(name.name)") }

  /// The name of the type that has the default value.
  var defaultType: String { quoted("\(name.name)TransientDefault") }

  /// The name of the generated property that returns the declared value.
  var declaredValue: String { quoted("\(name.name)TransientValue") }

  private func quoted(_ generated: String) -> String {
    name.isPlain ? generated : "`\(generated)`"
  }
}
