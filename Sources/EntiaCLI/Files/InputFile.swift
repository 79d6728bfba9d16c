import EntiaJSON

/// A file that is read whole, or standard input.
struct InputFile {
  /// How standard input is spelled on the command line.
  static let standardInput = "-"

  /// The name as it was typed; reports use it.
  let name: String

  /// Whether the name leads somewhere. Standard input is always there.
  var exists: Bool {
    if name == Self.standardInput { return true }
    do throws(SystemCalls.Failure) {
      _ = try SystemCalls.status(of: name)
      return true
    } catch {
      // A file behind a closed door is there: reading it will say what is wrong.
      return !error.isMissing
    }
  }

  /// The bytes.
  ///
  /// Throws `noInput` when there is no such file, `cannotRead` when it cannot be read.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func read() throws(CommandFailure) -> [UInt8] {
    do throws(SystemCalls.Failure) {
      if name == Self.standardInput { return try SystemCalls.readAll(0, expecting: 0) }
      let size = try SystemCalls.status(of: name).size
      let descriptor = try SystemCalls.openToRead(name)
      let result = Result { () throws(SystemCalls.Failure) -> [UInt8] in
        try SystemCalls.readAll(descriptor, expecting: size)
      }
      try SystemCalls.closeFile(descriptor)
      return try result.get()
    } catch {
      if error.isMissing { throw Self.missing([name]) }
      throw CommandFailure(.cannotRead, "cannot read \(spokenName): \(error.message)")
    }
  }

  /// The name, and the bytes as they are needed; standard input, which cannot be read twice, is read
  /// now. Throws what ``read()`` does, as far as it shows before anything is read.
  func stream() throws(CommandFailure) -> ImportSource {
    if name == Self.standardInput { return try source() }
    let isRegularFile: Bool
    do throws(SystemCalls.Failure) {
      isRegularFile = try SystemCalls.status(of: name).isRegularFile
      if isRegularFile { try SystemCalls.closeFile(try SystemCalls.openToRead(name)) }
    } catch {
      if error.isMissing { throw Self.missing([name]) }
      throw CommandFailure(.cannotRead, "cannot read \(spokenName): \(error.message)")
    }
    // What is no file, such as a pipe, cannot be read twice either.
    guard isRegularFile else { return try source() }
    let name = name
    return ImportSource(name: name) {
      let file = try OpenFile(name)
      return { try file.read(into: $0) }
    }
  }

  /// How many bytes the file has; 0 for standard input, of which that is not known.
  var size: Int {
    do throws(SystemCalls.Failure) {
      return name == Self.standardInput ? 0 : try SystemCalls.status(of: name).size
    } catch {
      // Reading the file says what is wrong.
      return 0
    }
  }

  /// The bytes and the name, as the library takes them; throws what ``read()`` does.
  func source() throws(CommandFailure) -> ImportSource {
    ImportSource(name: name, bytes: try read())
  }

  /// What to say when files are not there.
  static func missing(_ names: [String]) -> CommandFailure {
    CommandFailure(.noInput, names.map { "no such file: '\($0)'" })
  }

  private var spokenName: String {
    name == Self.standardInput ? "standard input" : "'\(name)'"
  }
}
