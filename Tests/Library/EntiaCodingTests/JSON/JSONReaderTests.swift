import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  @Test("every text of the grammar's table is accepted", arguments: acceptedTexts)
  func accepts(text: String) throws {
    let canonical = try JSONText.parse(Array(text.utf8))
    // The canonical text means the same: it reads to itself, and to the same tree.
    try expectEqual(JSONText.parse(Array(canonical.text.utf8)), canonical)
    try expectEqual(JSONValue.parse(text), JSONValue.parse(canonical.text))
  }

  @Test("every other text of the table is refused for its reason", arguments: refusedTexts)
  func refuses(text: String, kind: String) throws {
    let error = #expect(throws: JSONError.self) { try JSONText.parse(Array(text.utf8)) }
    expectEqual(error?.kind.rawValue, kind)
    #expect(throws: JSONError.self) { try JSONValue.parse(text) }
  }

  @Test("bytes that are not UTF-8 are refused where they stand", arguments: invalidUTF8)
  func invalidBytes(content: [UInt8]) throws {
    for prefix in ["\"", "[\"abcdefgh", "{\""] {
      let bytes = Array(prefix.utf8) + content + Array("\"".utf8)
      let error = #expect(throws: JSONError.self) { try JSONText.parse(bytes) }
      expectEqual(error?.kind, .invalidUTF8)
      let first = content.firstIndex { $0 >= 0x80 } ?? 0
      expectEqual(error?.offset, prefix.utf8.count + first)
    }
  }

  @Test("the table is as large as it claims")
  func tableSize() {
    #expect(acceptedTexts.count + refusedTexts.count + invalidUTF8.count >= 250)
    expectTrue(Set(acceptedTexts).isDisjoint(with: refusedTexts.map(\.text)))
  }

  @Test("an error has the byte, the line, the column, and the found and expected text")
  func messages() throws {
    func message(_ text: String) -> String? {
      #expect(throws: JSONError.self) { try JSONText.parse(Array(text.utf8)) }?.description
    }
    expectEqual(message("{\"a\": }"), "expected a value, found '}' at line 1, column 7 (byte 6)")
    expectEqual(
      message("[1,\n \"é\" 2]"), "expected ',' or ']', found '2' at line 2, column 6 (byte 10)")
    expectEqual(
      message("[1, 02]"), "a number begins with a needless 0 at line 1, column 5 (byte 4)")
    expectEqual(message("[nul]"), "expected 'null', found 'nul' at line 1, column 2 (byte 1)")
    expectEqual(message("[\n[\n"), "the text ends inside an array at line 3, column 1 (byte 4)")
    expectEqual(message(""), "the text is empty; expected a value at line 1, column 1 (byte 0)")
    expectEqual(
      message("\"a\u{1}\""),
      "a string holds the control character byte 0x01; it must be escaped "
        + "at line 1, column 3 (byte 2)")
    expectEqual(
      message("{\"a\":1,\"b\":2,\"a\":3}"),
      "an object has two members of one name at line 1, column 14 (byte 13)")
  }

  @Test("tokens come in order, with exact offsets and contents")
  func tokens() throws {
    let bytes = Array("{\"a\\n\": [1.50, \"b\"], \"é\": null}".utf8)
    var seen: [String] = []
    try JSONReader.reading(bytes) { (reader) throws(JSONError) in
      while true {
        let token = try reader.next()
        if token == .end { break }
        var text = "\(token) \(reader.tokenStart)..<\(reader.tokenEnd)"
        if token == .name || token == .string { text += " \(reader.string().debugDescription)" }
        if token == .number { text += " \(reader.number())" }
        seen.append(text)
      }
      try expectEqual(reader.next(), .end)
    }
    expectEqual(
      seen,
      [
        "beginObject 0..<1", "name 1..<6 \"a\\n\"", "beginArray 8..<9", "number 9..<13 1.50",
        "string 15..<18 \"b\"", "endArray 18..<19", "name 21..<25 \"é\"", "null 27..<31",
        "endObject 31..<32",
      ])
  }

  @Test("a skipped value is validated")
  func skipping() throws {
    try JSONReader.reading(Array("[[1,{\"a\":[]}],2]".utf8)) { (reader) throws(JSONError) in
      _ = try reader.next()
      try reader.skipValue(try reader.next())
      try expectEqual(reader.next(), .number)
      expectEqual(reader.number().text, "2")
    }
    let error = #expect(throws: JSONError.self) {
      try JSONReader.reading(Array("[[1,{\"a\":[}],2]".utf8)) { (reader) throws(JSONError) in
        _ = try reader.next()
        try reader.skipValue(try reader.next())
      }
    }
    expectEqual(error?.offset, 10)
  }
}
