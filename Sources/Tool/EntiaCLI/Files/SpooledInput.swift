#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Caches an input that can be read only once, such as a pipe, for repeated reading.
///
/// The input is read on demand. Its beginning is cached in memory, and the rest in an unlinked file
/// in the temporary folder. Memory therefore does not grow with the input, and no file is left when
/// the process ends for any reason.
final class SpooledInput: @unchecked Sendable {
  // Unchecked because of the state below: the tool reads its inputs on one thread.

  /// Inputs up to this size in bytes need no file.
  private static let headLimit = 1 << 22

  private let descriptor: Int32
  private var head: [UInt8] = []
  private var spool: Int32?
  /// The number of bytes that were read from the input.
  private var count = 0

  /// Takes ownership of an open descriptor. Standard input is never closed.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    do throws(SystemCalls.Failure) {
      if let spool { try SystemCalls.closeFile(spool) }
      if descriptor != 0 { try SystemCalls.closeFile(descriptor) }
    } catch {
      // The spool is temporary, so that an error of closing loses nothing.
    }
  }

  /// Returns a function that reads the input from its first byte on.
  func reading() -> (UnsafeMutableRawBufferPointer) throws -> Int {
    var offset = 0
    return { memory in
      let more = try self.read(into: memory, at: offset)
      offset += more
      return more
    }
  }

  private func read(
    into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemCalls.Failure) -> Int {
    if offset < head.count {
      let part = head[offset..<min(head.count, offset + memory.count)]
      memory.copyBytes(from: part)
      return part.count
    }
    if let spool, offset < count {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: memory[..<min(memory.count, count - offset)])
      return try SystemCalls.fill(part, from: spool, at: offset - head.count)
    }
    let more = try SystemCalls.fill(memory, from: descriptor)
    try keep(UnsafeRawBufferPointer(rebasing: memory[..<more]))
    count += more
    return more
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) throws(SystemCalls.Failure) {
    if spool == nil, head.count + bytes.count <= Self.headLimit {
      head.append(contentsOf: bytes)
      return
    }
    if spool == nil { spool = try SystemCalls.createTemporary() }
    if let spool { try SystemCalls.writeAll(Array(bytes), to: spool) }
  }
}
