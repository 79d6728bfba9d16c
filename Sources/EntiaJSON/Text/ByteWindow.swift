/// The part of an input that is in memory: the whole, or what has been read of it and is still
/// needed.
///
/// Bytes are told by their offsets in the input, whatever part of it is here.
final class ByteWindow {
  /// Fills memory with the next bytes of an input, as many as there are; none at the end.
  typealias Fill = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The bytes that are read at once, unless more have to be kept.
  static let chunk = 1 << 20

  /// Where the bytes are, as if the input's first byte were here: only bytes from ``start`` to
  /// ``end`` may be read.
  private(set) var base: UnsafePointer<UInt8>
  /// The offset of the first byte that is here.
  private(set) var start = 0
  /// The offset after the last byte that is here.
  private(set) var end: Int
  /// Says whether no byte follows.
  private(set) var isFinal: Bool
  /// Why the input could not be read to its end.
  private(set) var failure: (any Error)?
  /// The line and the column of the first byte that is here, counted from 1.
  private(set) var line = 1
  private(set) var column = 1

  private let fill: Fill?
  /// What is told of the bytes as they are read.
  private let progress: (Int) -> Void
  private var memory: UnsafeMutablePointer<UInt8>?
  private var capacity = 0

  /// Makes a window on bytes that the caller keeps alive and unchanged.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty buffer may have no address; no byte is read through this one.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    isFinal = true
    fill = nil
    progress = { _ in }
  }

  /// Makes a window on an input that is read as it is needed.
  init(progress: @escaping (Int) -> Void = { _ in }, _ fill: @escaping Fill) {
    base = UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = 0
    isFinal = false
    self.fill = fill
    self.progress = progress
    extend(keepingFrom: 0)
  }

  deinit { memory?.deallocate() }

  /// The byte at an offset that is here.
  subscript(offset: Int) -> UInt8 { base[offset] }

  /// Reads on, and forgets the bytes before an offset.
  ///
  /// Where much has to be kept, as much is read again, so that a value of any length is moved a
  /// constant number of times.
  func extend(keepingFrom kept: Int) {
    guard let fill, !isFinal else { return }
    let kept = min(max(kept, start), end)
    countLines(to: kept)
    let count = end - kept
    let wanted = max(Self.chunk, count)
    if capacity < count + wanted {
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: count + wanted)
      if let memory {
        larger.update(from: memory + (kept - start), count: count)
        memory.deallocate()
      }
      memory = larger
      capacity = count + wanted
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

  /// Moves the count of lines and columns to an offset.
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
