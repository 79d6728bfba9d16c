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
