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
