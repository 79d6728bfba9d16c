/// The UTF-8 bytes of a source text. All offsets refer to them.
struct SourceBytes: Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var count: Int { bytes.count }

  /// The byte at `offset`; `nil` outside the text.
  subscript(offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// Returns the text of `range`, which is clamped to the source.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// Whether the bytes at `offset` are `text`.
  func hasText(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// Returns the number of consecutive bytes equal to `byte` at `offset`.
  func countRun(of byte: UInt8, at offset: Int) -> Int {
    var end = offset
    while self[end] == byte { end += 1 }
    return end - offset
  }

  /// Returns the scalar at `offset` and its number of bytes, or `nil` at the end.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let first = self[offset] else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let end = min(offset + 4, bytes.count)
    let decoded = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
    // The bytes are those of a `String`, so each scalar is well-formed from its first byte on.
    guard let decoded else { return nil }
    return (decoded, max(1, min(UTF8.width(decoded), end - offset)))
  }
}
