import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Answers to the compiler")
struct MessageHandlerTests {
  private func answer(_ message: String) -> String {
    String(decoding: MessageHandler.answer(Array(message.utf8)), as: UTF8.self)
  }

  private func refusal(_ message: String, file: String = "", from start: Int = 0, to end: Int = 0)
    -> String
  {
    #"{"expandMacroResult":{"diagnostics":[{"message":"\#(message)","severity":"error","#
      + #""position":{"fileName":"\#(file)","offset":\#(start)},"highlights":[{"fileName":"\#(file)","#
      + #""startOffset":\#(start),"endOffset":\#(end)}],"notes":[],"fixIts":[]}]}}"#
  }

  @Test("Capability and libraries")
  func handshake() {
    expectEqual(
      answer(#"{"getCapability":{"capability":{"protocolVersion":8}}}"#),
      #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
    expectEqual(
      answer(#"{"loadPluginLibrary":{"libraryPath":"x","moduleName":"y"}}"#),
      #"{"loadPluginLibraryResult":{"loaded":false,"diagnostics":[]}}"#)
  }

  @Test("An attached macro is expanded; unknown keys of the request are ignored")
  func expansion() {
    expectEqual(
      answer(
        #"""
        {"expandAttachedMacro":{"macro":{"moduleName":"EntiaMacros","typeName":"TableMacro",
        "name":"Table ","later":[]},"macroRole":"accessor","discriminator":"$s","future":{"a":null},
        "attributeSyntax":{"kind":"attribute","source":"@Table ","location":{"fileID":"a/b.swift",
        "fileName":"/a/b.swift","offset":3,"line":1,"column":1}},
        "declSyntax":{"kind":"declaration","source":"@Table var a: T<A> = .init()","location":{}},
        "lexicalContext":[{"kind":"declaration","source":"@NormalizedStorage\nstruct L {}"}]}}
        """#),
      #"{"expandMacroResult":{"expandedSource":"{\n  get { snapshot.contents.a }\n}","#
        + #""diagnostics":[]}}"#)
  }

  @Test("A diagnostic is at its offset in the file, with notes and fix-its")
  func diagnostics() {
    expectEqual(
      answer(
        #"""
        {"expandAttachedMacro":{"macro":{"typeName":"NormalizedStorageMacro"},"macroRole":"member",
        "declSyntax":{"source":"é\nclass L {}","location":{"fileName":"/a/b.swift","offset":1000}}}}
        """#.replacing("é", with: "/*é*/")),
      #"{"expandMacroResult":{"diagnostics":[{"message":"'@NormalizedStorage' needs a struct, "#
        + #"because a storage is a plain value; declare 'L' as a struct","severity":"error","#
        + #""position":{"fileName":"/a/b.swift","offset":1007},"highlights":[{"fileName":"#
        + #""/a/b.swift","startOffset":1007,"endOffset":1012}],"notes":[],"fixIts":[{"message":"#
        + #""Replace 'class' with 'struct'","changes":[{"range":{"fileName":"/a/b.swift","#
        + #""startOffset":1007,"endOffset":1012},"newText":"struct"}]}]}]}}"#)
    let twice = answer(
      #"""
      {"expandAttachedMacro":{"macro":{"typeName":"NormalizedStorageMacro"},"macroRole":"member",
      "declSyntax":{"source":"struct L {@Table var a: T<A> = b; @Table var c: T<A> = d}",
      "location":{"fileName":"f","offset":10}}}}
      """#)
    expectTrue(
      twice.contains(
        #""notes":[{"position":{"fileName":"f","offset":34},"message":"the first table of 'A' is "#
          + #"here"}]"#))
  }

  @Test(
    "An invalid message is answered with a diagnostic",
    arguments: [
      ("", "The compiler's message is not JSON: expected a value at byte 0"),
      ("{\\\"a\\\":", "The compiler's message is not JSON: unknown escape at byte 2"),
      ("[]", "The compiler's message cannot be answered: the message names no request"),
      ("{}", "The compiler's message cannot be answered: the message names no request"),
      (#"{"shutDown":{}}"#, "Entia's compiler plugin does not know the request 'shutDown'"),
      (
        #"{"expandAttachedMacro":3}"#,
        "The compiler's message cannot be answered: the request names no macro"
      ),
      (
        #"{"expandAttachedMacro":{"macro":{"typeName":"T"}}}"#,
        "The compiler's message cannot be answered: the request to expand 'T' names no role"
      ),
      (
        #"{"expandAttachedMacro":{"macro":{"typeName":"T"},"macroRole":"member"}}"#,
        "The compiler's message cannot be answered: the request to expand 'T' has no declaration"
      ),
      (
        #"{"expandFreestandingMacro":{}}"#,
        "Entia has no macro '' that stands alone; its macros are attributes"
      ),
    ])
  func refusals(message: String, text: String) {
    if message.contains("\\") {
      expectTrue(answer(message).contains("The compiler's message is not JSON"))
    } else {
      expectEqual(answer(message), refusal(text))
    }
  }

  @Test("A freestanding macro is refused at its first token")
  func freestanding() {
    expectEqual(
      answer(
        #"""
        {"expandFreestandingMacro":{"macro":{"typeName":"T"},"syntax":{"source":" #t(1)",
        "location":{"fileName":"f","offset":9223372036854775807}}}}
        """#),
      refusal(
        "Entia has no macro 'T' that stands alone; its macros are attributes", file: "f",
        from: .min, to: .min + 2))
  }
}
