/// The part of an input that is in memory: the whole input, or the bytes that have been read and
/// are still needed.
///
/// Bytes are addressed by their offsets in the input, not in memory.
package final class ByteWindow {
  /// Fills a buffer with the next bytes of an input and returns their number. The number is 0 only
  /// at the end of the input.
  package typealias Fill = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The minimum number of bytes for which a read has room; see `extend(keepingFrom:)`.
  static let chunk = 1 << 18

  /// The address that the input's first byte would have if it were still in memory. Only offsets
  /// from ``start`` to ``end`` may be read through the address.
  package private(set) var base: UnsafePointer<UInt8>
  /// The offset of the first byte in memory.
  private(set) var start = 0
  /// The offset after the last byte in memory.
  package private(set) var end: Int
  /// Whether the end of the input has been read.
  package private(set) var isFinal: Bool
  /// The error that prevented reading the input to its end.
  package private(set) var failure: (any Error)?
  /// The line and the column of the first byte in memory, counted from 1.
  private(set) var line = 1
  private(set) var column = 1

  private let fill: Fill?
  /// Called after each read with the number of bytes read so far.
  private let progress: (Int) -> Void
  private var memory: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  /// Creates a window on bytes that the caller keeps alive and unchanged.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address. No byte is read at the address that replaces it.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    isFinal = true
    fill = nil
    progress = { _ in }
  }

  /// Creates a window on an input that is read on demand.
  package init(progress: @escaping (Int) -> Void = { _ in }, _ fill: @escaping Fill) {
    base = UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = 0
    isFinal = false
    self.fill = fill
    self.progress = progress
    extend(keepingFrom: 0)
  }

  deinit { memory?.deallocate() }

  /// The byte at an offset, which must be in memory.
  package subscript(offset: Int) -> UInt8 { base[offset] }

  /// Reads more of the input, and discards the bytes before an offset.
  ///
  /// Each byte of a long value is moved only a constant number of times on average, even if every
  /// read is short: if there is room for fewer than ``chunk`` bytes, the room doubles.
  package func extend(keepingFrom kept: Int) {
    guard let fill, !isFinal else { return }
    let kept = min(max(kept, start), end)
    countLines(to: kept)
    let count = end - kept
    if capacity - count < Self.chunk {
      let wanted = 2 * max(Self.chunk, count)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
      if let memory {
        larger.update(from: memory + (kept - start), count: count)
        memory.deallocate()
      }
      memory = larger
      capacity = wanted
    } else if let memory, kept > start {
      memory.update(from: memory + (kept - start), count: count)
    }
    start = kept
    guard let memory else { return }
    base = UnsafePointer(memory) - start
    do {
      let rest = UnsafeMutableRawBufferPointer(start: memory + count, count: capacity - count)
      let read = try fill(rest)
      isFinal = read == 0
      end += read
    } catch {
      failure = error
      isFinal = true
    }
    progress(end)
  }

  /// Advances the line and the column to an offset.
  private func countLines(to offset: Int) {
    let bytes = UnsafeBufferPointer(start: base + start, count: offset - start)
    let newlines = ByteRange.count(of: Byte.newline, in: bytes)
    line += newlines
    var rest = bytes
    if newlines > 0, let last = bytes.lastIndex(of: Byte.newline) {
      rest = UnsafeBufferPointer(rebasing: bytes[(last + 1)...])
      column = 1
    }
    column += ByteRange.scalarCount(rest)
  }
}
