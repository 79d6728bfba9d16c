import EntiaCoding
import Foundation

extension ChunkRow {
  /// Returns the UUID that a text contains, in upper or lower case; `nil` for any other value.
  ///
  /// `UUID(uuidString:)` needs a string. Decoding by it takes longer than the rest of a row.
  func uuid(at index: Int) -> UUID? {
    guard kind(at: index) == .text else { return nil }
    let text = bytes(at: index)
    guard text.count == 36 else { return nil }
    var id = SIMD16<UInt8>()
    var position = 0
    for byte in 0..<16 {
      if byte == 4 || byte == 6 || byte == 8 || byte == 10 {
        if text[position] != UInt8(ascii: "-") { return nil }
        position += 1
      }
      guard let high = Byte.hexValue(text[position]), let low = Byte.hexValue(text[position + 1])
      else { return nil }
      id[byte] = UInt8(high << 4 | low)
      position += 2
    }
    return UUID(uuid: unsafeBitCast(id, to: uuid_t.self))
  }
}
