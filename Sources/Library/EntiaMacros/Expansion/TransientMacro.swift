/// `@Transient`: turns a property of an entity into one that reads and writes a stored member
/// without equality and coding.
enum TransientMacro {
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    let reader = TransientReader(request)
    guard let member = reader.member else {
      // Only one of the two expansions reports problems.
      let diagnostics = request.role == "peer" ? reader.diagnostics : []
      return MacroExpansion(source: nil, diagnostics: diagnostics, place: request.declaration)
    }
    switch request.role {
    case "accessor":
      return MacroExpansion(
        source: accessors(of: member), diagnostics: [], place: request.declaration)
    case "peer":
      return MacroExpansion(
        source: storage(of: member), diagnostics: [], place: request.declaration)
    default: return .unsupportedRole(request)
    }
  }

  private static func accessors(of member: TransientProperty) -> String {
    """
    {
      @storageRestrictions(initializes: _\(member.name))
      init(initialValue) { _\(member.name) = .init(initialValue) }
      get { _\(member.name).value }
      _modify { yield &_\(member.name).value }
    }
    """
  }

  private static func storage(of member: TransientProperty) -> String {
    """
    private var _\(member.name): TransientMember<\(member.name)TransientDefault>
    enum \(member.name)TransientDefault: TransientMemberDefault {
      typealias Entity = \(member.entity)
      static var value: \(member.type) { \(member.value) }
    }
    """
  }
}

/// A transient member of an entity.
struct TransientProperty: Equatable, Sendable {
  /// The name without backticks.
  var name: String
  var type: String
  var value: String
  /// The name of the entity's type.
  var entity: String
}
