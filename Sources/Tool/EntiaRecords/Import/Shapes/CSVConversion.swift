import EntiaCoding
import EntiaJSON

extension CSVLines {
  /// Returns an input that consists of the lines.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - separator: The byte between fields; nil to recognize it.
  func source(_ source: ImportSource, separator: UInt8? = nil) -> ImportSource {
    ImportSource(name: source.name) {
      let lines = try CSVConversion(self, source.opened(), separator)
      return { try lines.read(into: $0) }
    }
  }
}

/// The lines for one pass over an input.
private final class CSVConversion {
  private let lines: CSVLines
  private let window: ByteWindow
  private var reader: CSVReader
  private var fields: [CSVReader.Field] = []
  private var bytes: [UInt8] = []
  private var position = 0

  init(_ lines: CSVLines, _ window: ByteWindow, _ separator: UInt8?) throws {
    self.lines = lines
    self.window = window
    reader = CSVReader(window, separator: separator)
    // The first record contains the names.
    _ = try reader.next(&fields)
  }

  func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    var count = 0
    while count < memory.count {
      if position == bytes.count {
        bytes.removeAll(keepingCapacity: true)
        position = 0
        guard try reader.next(&fields) else { break }
        lines.append(fields, to: &bytes)
      }
      let part = bytes[position..<min(bytes.count, position + memory.count - count)]
      UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyBytes(from: part)
      count += part.count
      position += part.count
    }
    if let failure = window.failure { throw failure }
    return count
  }
}
