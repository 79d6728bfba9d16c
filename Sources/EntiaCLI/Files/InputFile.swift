import EntiaJSON

/// A file that is read as it is needed, or standard input.
struct InputFile {
  /// How standard input is spelled on the command line.
  static let standardInput = "-"

  /// The name as it was typed; reports use it.
  let name: String

  var isStandardInput: Bool { name == Self.standardInput }

  /// Whether the name leads somewhere. Standard input is always there.
  var exists: Bool {
    if isStandardInput { return true }
    do throws(SystemCalls.Failure) {
      _ = try SystemCalls.status(of: name)
      return true
    } catch {
      // A file behind a closed door is there: reading it will say what is wrong.
      return !error.isMissing
    }
  }

  /// The name, and the bytes as they are needed, decompressed if they are gzip.
  ///
  /// What can be read only once, such as a pipe, is kept as far as it was read, so that it can be
  /// read again.
  ///
  /// Throws `noInput` when there is no such file, `cannotRead` when it cannot be opened.
  ///
  /// - Parameter progress: Called with the number of bytes that one reading of the input has passed.
  func stream(
    progress: (@Sendable (Int) -> Void)? = nil
  ) throws(CommandFailure) -> ImportSource {
    let opening = try opening()
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
  /// Throws what opening the file throws.
  func isCompressed() throws(CommandFailure) -> Bool {
    try begins(with: Gunzip.magic, try opening())
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
        let file = OpenFile(descriptor)
        return { file.reading(from: start) }
      }
      // Opened again when it is read: there may be more inputs than a process may have open.
      try SystemCalls.closeFile(descriptor)
      let name = name
      return { OpenFile(try SystemCalls.openToRead(name)).reading(from: 0) }
    } catch {
      throw failure(error)
    }
  }

  private func begins(
    with magic: [UInt8], _ opening: ImportSource.Opening
  ) throws(CommandFailure) -> Bool {
    do {
      let fill = try opening()
      // A pipe is read in pieces of this size; what was read is kept.
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

  /// How many bytes the file has; 0 for pipes, of which that is not known.
  var size: Int { status?.size ?? 0 }

  /// The file itself; nil for pipes, devices and terminals.
  var identity: SystemCalls.FileIdentity? { status?.identity }

  /// The state of the content; nil if there is no such file.
  var version: SystemCalls.FileVersion? { status?.version }

  private var status: SystemCalls.Status? {
    do throws(SystemCalls.Failure) {
      let status =
        isStandardInput ? try SystemCalls.status(of: Int32(0)) : try SystemCalls.status(of: name)
      return status.isRegularFile ? status : nil
    } catch {
      // Reading the file says what is wrong.
      return nil
    }
  }

  /// What to say when files are not there.
  static func missing(_ names: [String]) -> CommandFailure {
    CommandFailure(.noInput, names.map { "no such file: '\($0)'" })
  }

  var spokenName: String { isStandardInput ? "standard input" : "'\(name)'" }
}
