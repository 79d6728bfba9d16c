import EntiaRecords
import Foundation

/// A text of any length that is never held: parts, some of them one byte many times.
struct StreamedText: Sendable {
  enum Part {
    case text(String)
    case bytes(UInt8, count: Int)
  }

  /// What was asked of a text while it was read.
  final class Demand: @unchecked Sendable {
    // Unchecked because the lock sees to it.
    private let lock = NSLock()
    private var largest = 0
    private var total = 0

    fileprivate func note(_ asked: Int, _ given: Int) {
      lock.withLock {
        largest = max(largest, asked)
        total += given
      }
    }

    /// The most bytes that were asked for at once: as many are in memory, or twice that.
    var largestPiece: Int { lock.withLock { largest } }
    var bytes: Int { lock.withLock { total } }
  }

  let demand = Demand()
  private let parts: [Part]

  init(_ parts: [Part]) { self.parts = parts }

  /// The text as an input that is read in pieces.
  func source(_ name: String = "in.json") -> ImportSource {
    ImportSource(name: name) { [parts, demand] in
      var part = 0
      var offset = 0
      return { memory in
        var count = 0
        while count < memory.count, part < parts.count {
          let size: Int
          switch parts[part] {
          case .text(let text):
            let bytes = text.utf8.dropFirst(offset).prefix(memory.count - count)
            size = bytes.count
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: bytes)
            if offset + size == text.utf8.count { part += 1 }
            offset = offset + size == text.utf8.count ? 0 : offset + size
          case .bytes(let byte, let all):
            size = min(all - offset, memory.count - count)
            UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + size])
              .initializeMemory(as: UInt8.self, repeating: byte)
            if offset + size == all { part += 1 }
            offset = offset + size == all ? 0 : offset + size
          }
          count += size
        }
        demand.note(memory.count, count)
        return count
      }
    }
  }
}

extension StreamedText.Part: Sendable {}
