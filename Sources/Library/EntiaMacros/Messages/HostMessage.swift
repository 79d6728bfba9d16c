/// A request of the compiler.
enum HostMessage: Equatable, Sendable {
  /// Requests the version of the protocol.
  case capability
  /// Requests the expansion of a macro attached to a declaration.
  case attachedMacro(AttachedExpansion)
  /// Requests the expansion of a freestanding macro. Entia has none.
  case freestandingMacro(typeName: String, syntax: SyntaxText?)
  /// Requests to load a library of macros. This plugin does not support it.
  case loadLibrary
  /// A request that this version does not support.
  case unknown(String)
}

/// A request to expand an attached macro.
struct AttachedExpansion: Equatable, Sendable {
  /// The type named in `#externalMacro`.
  var typeName: String
  /// The role of the expansion: `member`, `extension`, `accessor` or `peer`.
  var role: String
  var attribute: SyntaxText?
  var declaration: SyntaxText
  var extendedType: SyntaxText?
  var conformanceList: SyntaxText?
  /// The declarations around this one, innermost first; `nil` if the compiler does not send them.
  var lexicalContext: [SyntaxText]?
}
