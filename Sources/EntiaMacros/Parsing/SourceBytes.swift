/// The text of a declaration as UTF-8 bytes, in which all offsets count.
struct SourceBytes: Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  var count: Int { bytes.count }

  /// The byte at `offset`, nil outside of the text.
  subscript(offset: Int) -> UInt8? {
    bytes.indices.contains(offset) ? bytes[offset] : nil
  }

  /// The text of `range`, which is cut to what exists.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  /// True when `text` stands at `offset`.
  func hasText(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// How many bytes `byte` stand in a row at `offset`.
  func countRun(of byte: UInt8, at offset: Int) -> Int {
    var end = offset
    while self[end] == byte { end += 1 }
    return end - offset
  }

  /// The scalar at `offset` and how many bytes it has, nil at the end.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard let first = self[offset] else { return nil }
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let end = min(offset + 4, bytes.count)
    let decoded = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first
    // The bytes came from a `String`, so they are well-formed from the beginning of each scalar.
    guard let decoded else { return nil }
    return (decoded, max(1, min(UTF8.width(decoded), end - offset)))
  }
}
