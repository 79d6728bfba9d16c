#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SystemCalls {
  /// Reads the next available bytes into memory, or the bytes from an offset of a regular file.
  /// Returns their number; 0 at the end.
  static func fill(
    _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int? = nil
  ) throws(Failure) -> Int {
    var count = 0
    while count < memory.count {
      let start = count
      let (free, room) = (memory.baseAddress.map { $0 + start }, memory.count - start)
      let more = try check {
        if let offset {
          pread(descriptor, free, room, off_t(offset + start))
        } else {
          read(descriptor, free, room)
        }
      }
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// Returns the current offset of a descriptor.
  static func position(of descriptor: Int32) throws(Failure) -> Int {
    try Int(check { lseek(descriptor, 0, SEEK_CUR) })
  }

  /// Creates an unlinked file, which is deleted when it is closed.
  static func createTemporary() throws(Failure) -> Int32 {
    // `/tmp` is tried last: it is often in memory, and the temporary file is meant to save memory.
    let folders = [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"]
    var failure = Failure(code: ENOENT)
    for case .some(let folder) in folders where !folder.isEmpty {
      var template = Array("\(folder)/entia-XXXXXX".utf8CString)
      do throws(Failure) {
        return try SignalHandling.blockingSignals { () throws(Failure) in
          let descriptor = try check { mkstemp(&template) }
          unlink(template)
          return descriptor
        }
      } catch {
        failure = error
      }
    }
    throw failure
  }
}
