/// A regular file that is open for reading, and is closed with its last reference.
final class OpenFile: Sendable {
  private let descriptor: Int32

  /// Takes over an open descriptor; standard input's stays open.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Nothing was written, so that nothing is lost when even closing fails.
    do throws(SystemCalls.Failure) {
      if descriptor != 0 { try SystemCalls.closeFile(descriptor) }
    } catch {}
  }

  /// Begins to read the file at an offset.
  func reading(from start: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
    var offset = start
    return { memory in
      let more = try SystemCalls.fill(memory, from: self.descriptor, at: offset)
      offset += more
      return more
    }
  }
}
