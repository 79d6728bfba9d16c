import EntiaJSON

/// A file or standard input, which is read on demand.
struct InputFile {
  /// The name of standard input on the command line.
  static let standardInput = "-"

  /// The name as given on the command line. Reports use it.
  let name: String

  var isStandardInput: Bool { name == Self.standardInput }

  /// Whether the file exists. Standard input always exists.
  var exists: Bool {
    if isStandardInput { return true }
    do throws(SystemCalls.Failure) {
      _ = try SystemCalls.status(of: name)
      return true
    } catch {
      // An inaccessible file counts as existing. Reading it reports the error.
      return !error.isMissing
    }
  }

  /// Returns the input with its name. Its bytes are read on demand, and decompressed if they are
  /// gzip.
  ///
  /// The bytes read from a pipe or a similar input are cached, so that they can be read again.
  ///
  /// A SQLite database is read as the JSON of its tables.
  ///
  /// - Parameters:
  ///   - tables: The names of the tables to read from a SQLite database of another program; `nil`
  ///     for all tables.
  ///   - progress: A closure that is called with the number of bytes read so far in one pass over
  ///     the input.
  ///   - note: A closure that is called with notes on the skipped parts of a SQLite database.
  /// - Throws: A failure with `noInput` if the file does not exist, `cannotRead` if it cannot be
  ///   opened, `badData` for a damaged or empty SQLite database, `usage` for missing tables, and
  ///   `unavailable` for a SQLite database if the tool was built without SQLite.
  func stream(
    tables: [String]? = nil, progress: (@Sendable (Int) -> Void)? = nil,
    note: ([String]) -> Void = { _ in }
  ) throws(CommandFailure) -> ImportSource {
    let opening = try opening()
    if try begins(with: SQLiteFile.magic, opening) {
      guard !isStandardInput, identity != nil else {
        throw CommandFailure(
          .cannotRead,
          "\(spokenName) is a SQLite database, which is read only from a file by its name"
        )
      }
      let (json, notes) = try SQLiteFile.read(name, tables: tables)
      note(notes)
      return ImportSource(name: name, bytes: json)
    }
    try SQLiteFile.refuseLost(self)
    if tables != nil {
      throw CommandFailure(
        .usage, "--table is for SQLite databases, and \(spokenName) is none; leave it out")
    }
    let isCompressed = try begins(with: Gunzip.magic, opening)
    return ImportSource(name: name) {
      var fill = try opening()
      if let progress {
        let source = fill
        var count = 0
        fill = { memory in
          let more = try source(memory)
          count += more
          progress(count)
          return more
        }
      }
      guard isCompressed else { return fill }
      let gunzip = try Gunzip(fill)
      return { try gunzip.read(into: $0) }
    }
  }

  /// Whether the bytes are gzip.
  ///
  /// - Throws: The errors of opening the file.
  func isCompressed() throws(CommandFailure) -> Bool {
    try begins(with: Gunzip.magic, try opening())
  }

  /// Whether the file begins with some bytes.
  ///
  /// - Throws: The errors of opening the file.
  func begins(with bytes: [UInt8]) throws(CommandFailure) -> Bool {
    try begins(with: bytes, try opening())
  }

  private func opening() throws(CommandFailure) -> ImportSource.Opening {
    do throws(SystemCalls.Failure) {
      let descriptor = isStandardInput ? 0 : try SystemCalls.openToRead(name)
      let status = try SystemCalls.status(of: descriptor)
      if status.isDirectory { throw SystemCalls.Failure.isDirectory }
      guard status.isRegularFile else {
        let spool = SpooledInput(descriptor)
        return { spool.reading() }
      }
      if isStandardInput {
        let start = try SystemCalls.position(of: descriptor)
        let file = OpenInput(descriptor)
        return { file.reading(from: start) }
      }
      // The file is reopened for every pass, because there may be more inputs than the limit of
      // open files.
      try SystemCalls.closeFile(descriptor)
      let name = name
      return { OpenInput(try SystemCalls.openToRead(name)).reading(from: 0) }
    } catch {
      throw failure(error)
    }
  }

  private func begins(
    with magic: [UInt8], _ opening: ImportSource.Opening
  ) throws(CommandFailure) -> Bool {
    do {
      let fill = try opening()
      // Of a pipe, only these few bytes are read here, and they are cached for the next pass.
      return try withUnsafeTemporaryAllocation(byteCount: magic.count, alignment: 1) { memory in
        try fill(memory) == magic.count && memory.elementsEqual(magic)
      }
    } catch let error as SystemCalls.Failure {
      throw failure(error)
    } catch {
      throw CommandFailure(.cannotRead, "cannot read \(spokenName): \(error)")
    }
  }

  private func failure(_ error: SystemCalls.Failure) -> CommandFailure {
    if error.isMissing { return Self.missing([name]) }
    return CommandFailure(.cannotRead, "cannot read \(spokenName): \(error.message)")
  }

  /// The size of the file in bytes; 0 for pipes, whose size is unknown.
  var size: Int { status?.size ?? 0 }

  /// The identity of the file; `nil` for pipes, devices and terminals.
  var identity: SystemCalls.FileIdentity? { status?.identity }

  /// The version of the content; `nil` if there is no such file.
  var version: SystemCalls.FileVersion? { status?.version }

  private var status: SystemCalls.Status? {
    do throws(SystemCalls.Failure) {
      let status =
        isStandardInput ? try SystemCalls.status(of: Int32(0)) : try SystemCalls.status(of: name)
      return status.isRegularFile ? status : nil
    } catch {
      // Reading the file reports the error.
      return nil
    }
  }

  /// Returns the failure for files that do not exist.
  static func missing(_ names: [String]) -> CommandFailure {
    CommandFailure(.noInput, names.map { "no such file: '\($0)'" })
  }

  var spokenName: String { isStandardInput ? "standard input" : "'\(name)'" }
}

/// A regular file that is open for reading. Releasing the last reference closes it.
final class OpenInput: Sendable {
  private let descriptor: Int32

  /// Takes ownership of an open descriptor. Standard input is never closed.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // An error of closing loses nothing, because nothing was written.
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

/// Caches an input that can be read only once, such as a pipe, for repeated reading.
///
/// The input is read on demand. Its beginning is cached in memory, and the rest in an unlinked file
/// in the temporary folder. Memory therefore does not grow with the input, and no file is left when
/// the process ends for any reason.
final class SpooledInput: @unchecked Sendable {
  // `@unchecked`, because the properties below are not protected. The tool reads its inputs on one
  // thread.

  /// The maximum number of bytes that are cached in memory. A longer input also needs a temporary
  /// file.
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
      // An error of closing loses nothing, because the spool is temporary.
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
