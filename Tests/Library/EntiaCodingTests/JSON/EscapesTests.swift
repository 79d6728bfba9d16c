import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("Strings with escapes")
struct EscapesTests {
  /// Parts of a string as they are written, and their content.
  private static let parts = [
    ("a", "a"), ("plain words ", "plain words "), ("é", "é"), ("🙂", "🙂"), ("\\\"", "\""),
    ("\\\\", "\\"), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"), ("\\b", "\u{8}"),
    ("\\f", "\u{C}"), ("\\/", "/"), ("\\u0041", "A"), ("\\u00e9", "é"), ("\\u001f", "\u{1F}"),
    ("\\u000a", "\n"), ("\\ud83d\\ude42", "🙂"), ("\\\\u0041", "\\u0041"), ("\\\\\\\\/", "\\\\/"),
  ]

  /// Returns whether the string is recognized as canonical, after checking its content.
  private func isCanonical(_ parts: [(text: String, content: String)]) throws -> Bool {
    let text = Array("\"\(parts.map(\.text).joined())\"".utf8)
    return try JSONReader.reading(text) { reader throws(JSONError) in
      _ = try reader.next()
      expectEqual(reader.string(), parts.map(\.content).joined())
      var written: [UInt8] = []
      JSONWriter.append(string: reader.string(), to: &written)
      // A control character that only `\u` can escape is canonical, but not recognized as such.
      let hasCode = parts.contains { $0.text.hasPrefix("\\u") }
      expectEqual(reader.isCanonicalString, written == text && !hasCode, "\(parts)")
      return reader.isCanonicalString
    }
  }

  @Test func `a string is canonical exactly if the writer writes the same`() throws {
    var canonical = 0
    for first in Self.parts {
      for second in Self.parts {
        if try isCanonical([first, second]) { canonical += 1 }
        let (before, between) = (String(repeating: "x", count: 9), "abcdefgh")
        _ = try isCanonical([(before, before), first, (between, between), second])
      }
    }
    expectEqual(canonical, 13 * 13)
  }
}
