import EntiaCoding
import EntiaTestSupport
import Testing

/// Input made to hurt: each must end in a value or a located error, soon, and never in a trap.
@Suite("Hostile JSON")
struct JSONHostileTests {
  private func text(_ pieces: String..., count: Int) -> [UInt8] {
    pieces.flatMap { Array(String(repeating: $0, count: count).utf8) }
  }

  @Test("100,000 levels are read into text, and are too deep for a tree")
  func depth() throws {
    let arrays = text("[", "]", count: 100_000)
    let value = try JSONText.parse(arrays)
    expectEqual(value.text.utf8.count, 200_000)
    expectEqual(value, try JSONText.parse(arrays))
    let objects =
      text("{\"b\":1,\"a\":", count: 100_000) + Array("0".utf8)
      + text("}", count: 100_000)
    let sorted = try JSONText.parse(objects)
    expectTrue(sorted.text.hasPrefix("{\"a\":{\"a\":"))
    expectTrue(sorted.text.hasSuffix("\"b\":1},\"b\":1}"))

    let error = #expect(throws: JSONError.self) { try JSONValue.parse(arrays) }
    expectEqual(error?.kind, .tooDeep)
    expectEqual(error?.offset, JSONValue.maximumDepth)
    expectEqual(error?.message, "arrays and objects nest deeper than 512 levels")
  }

  @Test("the reader's own limit is an error at its level")
  func limit() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.reading(text("[", count: 20), maximumDepth: 10) {
        (reader) throws(JSONError) in
        while try reader.next() != .end {}
      }
    }
    expectEqual(error?.kind, .tooDeep)
    expectEqual(error?.offset, 10)
  }

  @Test("100,000 levels without an end are an error at the end")
  func openDepth() {
    for piece in ["[", "{\"a\":", "[{\"a\":"] {
      let bytes = text(piece, count: 100_000)
      let error = #expect(throws: JSONError.self) { try JSONText.parse(bytes) }
      expectTrue(error?.kind == .unexpectedEnd || error?.kind == .emptyInput)
      expectEqual(error?.offset, bytes.count)
    }
  }

  @Test("every truncation of a text is an error inside it")
  func truncation() throws {
    let whole = Array(
      "{\"a\":[1.5e3,true,null,\"é\\u00e9\\ud83d\\ude00\\n\"],\"b\":{\"c\":false,\"\":-0.0}}".utf8)
    _ = try JSONText.parse(whole)
    for length in 0..<whole.count {
      let error = #expect(throws: JSONError.self) { try JSONText.parse(Array(whole[..<length])) }
      #expect((error?.offset ?? .max) <= length)
    }
  }

  @Test("every single wrong byte gives a value or a located error")
  func corruption() throws {
    let whole = Array("[{\"a\":1.5e3,\"é\":\"\\ud83d\\ude00\"},true]".utf8)
    for index in whole.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[index] = byte
        do {
          let text = try JSONText.parse(bytes)
          try expectEqual(JSONText.parse(Array(text.text.utf8)), text)
        } catch {
          #expect(error.offset <= bytes.count)
        }
      }
    }
  }

  @Test("a number of a million digits keeps them all, and its order")
  func longNumber() throws {
    let digits = String(repeating: "7", count: 1_000_000)
    let value = try JSONText.parse(Array(digits.utf8))
    expectEqual(value.text, digits)
    let number = try #require(JSONNumber(digits))
    let next = try #require(JSONNumber(String(digits.dropLast()) + "8"))
    #expect(number < next)
    expectFalse((next < number))
  }

  @Test("an object of 100,000 members in falling order is sorted")
  func manyMembers() throws {
    let names = (0..<100_000).map { String($0 + 100_000) }
    let object = "{" + names.reversed().map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    let value = try JSONText.parse(Array(object.utf8))
    expectEqual(value.text, "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
  }
}
