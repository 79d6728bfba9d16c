#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Answers the compiler's messages. Both messages and answers are bytes.
enum MessageHandler {
  private static let protocolVersion = 7

  /// Returns the answer to `message`. There always is one, because the compiler waits for it.
  static func answer(_ message: [UInt8]) -> [UInt8] {
    MessageWriter.write(answer(reading: message))
  }

  private static func answer(reading bytes: [UInt8]) -> MessageValue {
    let json: MessageValue
    do throws(MessageSyntaxError) {
      json = try MessageParser.parse(bytes)
    } catch {
      return refusal("The compiler's message is not JSON: \(error)")
    }
    do throws(MessageError) {
      return try answer(to: json)
    } catch {
      return refusal("The compiler's message cannot be answered: \(error.message)")
    }
  }

  /// Answers a message, which is an object whose only member is the request.
  private static func answer(to message: MessageValue) throws(MessageError) -> MessageValue {
    guard let request = message.members?.first else {
      throw MessageError(message: "the message names no request")
    }
    switch request.key {
    case "getCapability":
      return ["getCapabilityResult": ["capability": ["protocolVersion": .integer(protocolVersion)]]]
    case "loadPluginLibrary":
      // This plugin loads no libraries of macros.
      return ["loadPluginLibraryResult": ["loaded": .bool(false), "diagnostics": []]]
    case "expandAttachedMacro":
      return MacroExpansion.expand(try AttachedExpansion(json: request.value)).json
    case "expandFreestandingMacro":
      let typeName = request.value["macro"]?["typeName"]?.text ?? ""
      return refusal(
        "Entia has no macro '\(typeName)' that stands alone; its macros are attributes",
        at: request.value["syntax"].flatMap(SyntaxText.init(json:)))
    default:
      return refusal("Entia's compiler plugin does not know the request '\(request.key)'")
    }
  }

  private static func refusal(_ message: String, at syntax: SyntaxText? = nil) -> MessageValue {
    MacroExpansion.refused(message, in: syntax ?? SyntaxText(source: "")).json
  }
}

extension MacroExpansion {
  /// Expands the macro of `request`.
  static func expand(_ request: AttachedExpansion) -> MacroExpansion {
    switch request.typeName {
    case "NormalizedStorageMacro": return NormalizedStorageMacro.expand(request)
    case "TableMacro": return MarkerExpansion.expand(.table, request)
    case "IndexMacro": return MarkerExpansion.expand(.index, request)
    case "CheckMacro": return MarkerExpansion.expand(.check, request)
    case "RelationshipMacro": return MarkerExpansion.expand(.relationship, request)
    case "TransientMacro": return TransientMacro.expand(request)
    case "EntityMacro": return EntityMacro.expand(request)
    case "StoredMacro": return StoredMacro.expand(request)
    default:
      return refused(
        "Entia's compiler plugin has no macro '\(request.typeName)'; use the declarations that "
          + "come with the same version of Entia",
        in: request.attribute ?? request.declaration)
    }
  }

  /// The response to the compiler.
  var json: MessageValue {
    var members: [MessageMember] = []
    if let source { members.append(MessageMember(key: "expandedSource", value: .string(source))) }
    let diagnostics = diagnostics.map { $0.json(in: place) }
    members.append(MessageMember(key: "diagnostics", value: .array(diagnostics)))
    return ["expandMacroResult": .object(members)]
  }
}

extension Diagnostic {
  fileprivate func json(in place: SyntaxText) -> MessageValue {
    [
      "message": .string(message),
      "severity": .string(severity.rawValue),
      "position": place.position(range.lowerBound),
      "highlights": [place.range(range)],
      "notes": .array(
        notes.map { ["position": place.position($0.offset), "message": .string($0.message)] }),
      "fixIts": .array(
        fixIts.map { fixIt in
          [
            "message": .string(fixIt.message),
            "changes": [["range": place.range(fixIt.range), "newText": .string(fixIt.text)]],
          ]
        }),
    ]
  }
}

extension SyntaxText {
  // The compiler sends `offset`, which may have any value, so the sums must not trap.
  fileprivate func position(_ local: Int) -> MessageValue {
    ["fileName": .string(fileName), "offset": .integer(offset &+ local)]
  }

  fileprivate func range(_ local: Range<Int>) -> MessageValue {
    [
      "fileName": .string(fileName),
      "startOffset": .integer(offset &+ local.lowerBound),
      "endOffset": .integer(offset &+ local.upperBound),
    ]
  }
}

/// The compiler plugin.
package enum CompilerPlugin {
  /// Answers the compiler's messages until the compiler closes the connection.
  package static func run() {
    do throws(ChannelError) {
      try serve(try MessageChannel.toCompiler())
    } catch .failed(operation: "write", code: EPIPE) {
      // The compiler has ended, so the answer is not read.
      exit(EXIT_FAILURE)
    } catch {
      // Standard output is redirected to standard error here.
      print("EntiaMacros: \(error)")
      exit(EXIT_FAILURE)
    }
  }

  /// Answers every message of `channel` until the input ends.
  static func serve(_ channel: MessageChannel) throws(ChannelError) {
    while let message = try channel.receive() {
      try channel.send(MessageHandler.answer(message))
    }
  }
}
