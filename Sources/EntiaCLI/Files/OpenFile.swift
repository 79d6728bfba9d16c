/// A file that is open for reading, and is closed when nobody holds it any more.
final class OpenFile: Sendable {
  private let descriptor: Int32

  init(_ name: String) throws(SystemCalls.Failure) {
    descriptor = try SystemCalls.openToRead(name)
  }

  deinit {
    // Nothing was written, so that nothing is lost when even closing fails.
    do throws(SystemCalls.Failure) { try SystemCalls.closeFile(descriptor) } catch {}
  }

  /// Reads the next bytes, as many as there are; none at the end.
  func read(into memory: UnsafeMutableRawBufferPointer) throws(SystemCalls.Failure) -> Int {
    try SystemCalls.fill(memory, from: descriptor)
  }
}
