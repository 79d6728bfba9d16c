import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("Hints for texts in other encodings")
struct EncodingHintTests {
  private func message(_ bytes: [UInt8]) -> String? {
    do {
      _ = try JSONText.parse(bytes)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("Gzip and UTF-16 are named at the beginning of a text, and nowhere else")
  func named() {
    expectEqual(
      message([0x1F, 0x8B, 8, 0])?.hasSuffix("; this is gzip; 'gunzip' decompresses it"), true)
    for bytes in [[0xFF, 0xFE, 0x5B, 0], [0xFE, 0xFF, 0, 0x5B], [0x5B, 0, 0x5D, 0], [0, 0x5B]] {
      expectEqual(message(bytes.map { UInt8($0) })?.contains("the text is UTF-16"), true)
    }
    expectTrue(
      message(Array("[[\0".utf8)) == "expected a value or ']', found byte 0x00"
        || message(Array("[[\0".utf8)) == "expected a value, found byte 0x00")
    expectEqual(message([0xFF]), "expected a value, found byte 0xFF")
    expectEqual(message(Array("x".utf8))?.contains(";"), false)
  }
}
