import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Messages as JSON")
struct MessageParserTests {
  @Test(
    "Values are parsed",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("12", 12), ("-7", -7),
      ("1.5", .number(1.5)), ("1e2", .number(100)), ("9223372036854775808", .number(0x1p63)),
      ("\"\"", ""), ("\"größe\"", "größe"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
      ("{\"a\":1, \"b\" : {\"c\":[]}}", ["a": 1, "b": ["c": []]]),
      (#""\n\t\r\b\f\"\\\/""#, "\n\t\r\u{8}\u{C}\"\\/"), (#""\u00e9\u0041""#, "éA"),
      (#""\ud83d\ude00""#, "😀"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"),
      (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
    ] as [(String, MessageValue)])
  func reads(text: String, value: MessageValue) throws {
    try expectEqual(MessageParser.parse(Array(text.utf8)), value)
  }

  @Test(
    "Invalid JSON is refused with the offset",
    arguments: [
      ("", "expected a value", 0), ("  ", "expected a value", 2), ("nul", "expected a value", 0),
      ("1 2", "unexpected text", 2), ("[1", "expected ',' or ']'", 2),
      ("[1,]", "expected a value", 3), ("{\"a\"}", "expected ':'", 4),
      ("{a:1}", "expected a member name", 1), ("{\"a\":1", "expected ',' or '}'", 6),
      ("\"a", "unterminated string", 2), ("\"\\", "unterminated string", 2),
      (#""\x""#, "unknown escape", 2), (#""\u12g4""#, "expected four hexadecimal digits", 5),
      ("+1", "expected a value", 0), ("1e999", "expected a value", 0),
      ("--", "expected a value", 0),
    ])
  func refuses(text: String, message: String, offset: Int) {
    #expect(throws: MessageSyntaxError(message: message, offset: offset)) {
      try MessageParser.parse(Array(text.utf8))
    }
  }

  @Test("Deep nesting is refused")
  func deepNesting() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: MessageSyntaxError(message: "nested too deeply", offset: 128)) {
      try MessageParser.parse(deep)
    }
  }

  @Test("Written values equal the parsed text, byte for byte")
  func writes() throws {
    let text = #"{"b":[null,true,-1,1.5],"a":"\"\\\n\r\t\u0001\u001fé/😀","c":{}}"#
    let value = try MessageParser.parse(Array(text.utf8))
    expectEqual(String(decoding: MessageWriter.write(value), as: UTF8.self), text)
    expectEqual(MessageWriter.write(.number(.infinity)), Array("null".utf8))
  }
}
