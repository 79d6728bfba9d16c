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

/// A piece of the user's source with its leading comments and white space, and its position.
struct SyntaxText: Equatable, Sendable {
  var source: String
  var fileName = ""
  /// The UTF-8 offset of the piece in its file.
  var offset = 0
  /// The line number at the beginning of the piece, from 1; 0 if the compiler does not send it.
  var line = 0
}

extension SyntaxText {
  /// Returns the line at an offset in this piece, or `nil` if the file is unknown.
  func sourceLine(at local: Int) -> SourceLine? {
    guard line > 0, !fileName.isEmpty else { return nil }
    let breaks = source.utf8.prefix(max(0, local)).count { $0 == UInt8(ascii: "\n") }
    return SourceLine(fileName: fileName, number: line &+ breaks)
  }
}

/// The reason why a message cannot be answered.
struct MessageError: Error, Equatable {
  var message: String
}

extension HostMessage {
  /// Parses a message: an object whose only member is the request. Unknown keys are ignored,
  /// because later compilers may add keys.
  init(json: MessageValue) throws(MessageError) {
    guard let member = json.members?.first else {
      throw MessageError(message: "the message names no request")
    }
    switch member.key {
    case "getCapability": self = .capability
    case "loadPluginLibrary": self = .loadLibrary
    case "expandAttachedMacro":
      self = .attachedMacro(try AttachedExpansion(json: member.value))
    case "expandFreestandingMacro":
      self = .freestandingMacro(
        typeName: member.value["macro"]?["typeName"]?.text ?? "",
        syntax: member.value["syntax"].flatMap(SyntaxText.init(json:)))
    default: self = .unknown(member.key)
    }
  }
}

extension AttachedExpansion {
  fileprivate init(json: MessageValue) throws(MessageError) {
    guard let typeName = json["macro"]?["typeName"]?.text else {
      throw MessageError(message: "the request names no macro")
    }
    guard let role = json["macroRole"]?.text else {
      throw MessageError(message: "the request to expand '\(typeName)' names no role")
    }
    guard let declaration = json["declSyntax"].flatMap(SyntaxText.init(json:)) else {
      throw MessageError(message: "the request to expand '\(typeName)' has no declaration")
    }
    self.init(
      typeName: typeName,
      role: role,
      attribute: json["attributeSyntax"].flatMap(SyntaxText.init(json:)),
      declaration: declaration,
      extendedType: json["extendedTypeSyntax"].flatMap(SyntaxText.init(json:)),
      conformanceList: json["conformanceListSyntax"].flatMap(SyntaxText.init(json:)),
      lexicalContext: json["lexicalContext"]?.elements?.compactMap(SyntaxText.init(json:)))
  }
}

extension SyntaxText {
  fileprivate init?(json: MessageValue) {
    guard let source = json["source"]?.text else { return nil }
    self.init(
      source: source,
      fileName: json["location"]?["fileName"]?.text ?? "",
      offset: json["location"]?["offset"]?.integer ?? 0,
      line: json["location"]?["line"]?.integer ?? 0)
  }
}
