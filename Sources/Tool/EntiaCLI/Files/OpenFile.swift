/// A regular file that is open for reading. Releasing the last reference closes it.
final class OpenFile: Sendable {
  private let descriptor: Int32

  /// Takes ownership of an open descriptor. Standard input is never closed.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Nothing was written, so an error of closing loses nothing.
    do throws(SystemCalls.Failure) {
      if descriptor != 0 { try SystemCalls.closeFile(descriptor) }
    } catch {}
  }

  /// Returns a function that reads the file from an offset on.
  func reading(from start: Int) -> (UnsafeMutableRawBufferPointer) throws -> Int {
    var offset = start
    return { memory in
      let more = try SystemCalls.fill(memory, from: self.descriptor, at: offset)
      offset += more
      return more
    }
  }
}
