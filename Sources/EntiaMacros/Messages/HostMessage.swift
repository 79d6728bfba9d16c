/// What the compiler asks.
enum HostMessage: Equatable, Sendable {
  /// Which version of the protocol do you speak?
  case capability
  /// Expand a macro attached to a declaration.
  case attachedMacro(AttachedExpansion)
  /// Expand a macro that stands alone; Entia has none.
  case freestandingMacro(typeName: String, syntax: SyntaxText?)
  /// Load a library of macros; this plugin is none.
  case loadLibrary
  /// Something a later compiler may ask.
  case unknown(String)
}

/// A request to expand an attached macro.
struct AttachedExpansion: Equatable, Sendable {
  /// The type that `#externalMacro` names.
  var typeName: String
  /// What kind of expansion is wanted: `member`, `extension`, `accessor`.
  var role: String
  var attribute: SyntaxText?
  var declaration: SyntaxText
  var extendedType: SyntaxText?
  var conformanceList: SyntaxText?
  /// What the declaration stands in, innermost first; nil when the compiler does not say.
  var lexicalContext: [SyntaxText]?
}

/// A piece of the user's source, with its leading comments and white space, and where it begins.
struct SyntaxText: Equatable, Sendable {
  var source: String
  var fileName = ""
  /// The UTF-8 offset of the piece in its file.
  var offset = 0
  /// The number of the line in which the piece begins, from 1; 0 when the compiler does not send it.
  var line = 0
}

extension SyntaxText {
  /// The line that holds a place of this piece, given by its offset; nil when the file is unknown.
  func sourceLine(at local: Int) -> SourceLine? {
    guard line > 0, !fileName.isEmpty else { return nil }
    let breaks = source.utf8.prefix(max(0, local)).count { $0 == UInt8(ascii: "\n") }
    return SourceLine(fileName: fileName, number: line &+ breaks)
  }
}

/// Why a message cannot be answered.
struct MessageError: Error, Equatable {
  var message: String
}

extension HostMessage {
  /// Reads a message: an object whose one member names it. Unknown keys are ignored, since later
  /// compilers add some.
  init(json: JSONValue) throws(MessageError) {
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
  fileprivate init(json: JSONValue) throws(MessageError) {
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
  fileprivate init?(json: JSONValue) {
    guard let source = json["source"]?.text else { return nil }
    self.init(
      source: source,
      fileName: json["location"]?["fileName"]?.text ?? "",
      offset: json["location"]?["offset"]?.integer ?? 0,
      line: json["location"]?["line"]?.integer ?? 0)
  }
}
