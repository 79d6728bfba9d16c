import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("Bytes are compared and searched as by an array, at every length and alignment")
struct ByteRangeTests {
  @Test func `equal bytes are equal, and each single difference is found`() {
    let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) }
    func areEqual(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { ByteRange.areEqual(left, $0) }
      }
    }
    for start in 0..<4 {
      for count in 0..<50 {
        let part = bytes[start..<start + count]
        expectTrue(areEqual(part, Array(part)))
        expectFalse(areEqual(part, Array(bytes[start...(start + count)])))
        for index in 0..<count {
          for bit in [0, 7] {
            var other = Array(part)
            other[index] ^= 1 << bit
            expectFalse(areEqual(part, other), "\(count) bytes, differing at \(index)")
          }
        }
      }
    }
  }

  @Test func `the first of several occurrences is found`() {
    for count in 0..<40 {
      for index in 0..<count {
        // A zero byte, and one above the searched byte, can mislead a search of words.
        for other in [UInt8(0), 0x5B, 0x5D, 0xDC, 0xFF] {
          var bytes = [UInt8](repeating: other, count: count)
          for place in stride(from: index, to: count, by: 3) { bytes[place] = Byte.backslash }
          let found = bytes.withUnsafeBufferPointer {
            ByteRange.firstIndex(of: Byte.backslash, in: $0)
          }
          expectEqual(found, index)
        }
      }
    }
  }
}
