import EntiaTestSupport
import Testing

@testable import EntiaCoding

@Suite("Texts that are read in pieces")
struct PiecesTests {
  @Test("An error in a text that is read byte by byte is that of the whole text")
  func errors() {
    let texts: [[UInt8]] = [
      [3, 0, 0, 0, 0, 0, 0, 0, 10, 10, 10, 10], [0x1F, 0x8B, 8, 0], [0x5B, 0, 0x5D, 0],
      [32, 0xFF, 0xFE], [10, 3, 0], [91, 10, 3, 0],
      [0xEF, 0xBB, 0xBF, 91, 93], [0xEF, 0xBB], [0xEF],
    ]
    for text in texts {
      for size in [1, 2, 3] {
        let whole = text.withUnsafeBufferPointer { error(of: JSONReader($0)) }
        var start = 0
        let window = ByteWindow { memory in
          let count = min(size, memory.count, text.count - start)
          memory.copyBytes(from: text[start..<start + count])
          start += count
          return count
        }
        expectEqual(error(of: JSONReader(window)), whole, "\(text) in pieces of \(size)")
      }
    }
  }

  @Test("A long value that is read in short pieces is moved a few times, not at each piece")
  func moves() {
    var read = 0
    var moves = 0
    var memory: UnsafeMutableRawPointer?
    let window = ByteWindow { room in
      let start = room.baseAddress.map { $0 - read }
      if start != memory { moves += 1 }
      memory = start
      let count = min(4_096, room.count, 4_000_000 - read)
      room.copyBytes(from: repeatElement(65, count: count))
      read += count
      return count
    }
    while !window.isFinal { window.extend(keepingFrom: 0) }
    expectTrue(window.end == 4_000_000 && window[3_999_999] == 65)
    #expect(moves < 16)
  }

  private func error(of reader: JSONReader) -> JSONError? {
    var reader = reader
    do {
      while try reader.next() != .end {}
      return nil
    } catch {
      return error
    }
  }
}
