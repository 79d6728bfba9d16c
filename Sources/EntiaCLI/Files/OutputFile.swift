/// A file that is written whole or not at all, or standard output.
struct OutputFile {
  /// How standard output is spelled on the command line.
  static let standardOutput = "-"

  /// Where the pieces of a content go.
  struct Sink {
    fileprivate let descriptor: Int32

    /// Appends a piece.
    func write(_ bytes: [UInt8]) throws(SystemCalls.Failure) {
      try SystemCalls.writeAll(bytes, to: descriptor)
    }
  }

  /// Makes a content, piece by piece.
  typealias Content = (Sink) throws(SystemCalls.Failure) -> Void

  /// The name as it was typed.
  let name: String

  var isStandardOutput: Bool { name == Self.standardOutput }

  /// Puts the bytes there; see ``stream(_:)``.
  ///
  /// Throws `cannotWrite`.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try stream { (sink) throws(SystemCalls.Failure) in try sink.write(bytes) }
  }

  /// Puts there what is made piece by piece, and never holds more than a piece.
  ///
  /// A regular file is replaced by renaming a finished neighbour over it, so whoever reads it sees
  /// the old content or the new, and a failure leaves the old. Devices and pipes are written to as
  /// they are: renaming over `/dev/null` would replace it.
  ///
  /// Throws `cannotWrite`.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func stream(_ content: Content) throws(CommandFailure) {
    do throws(SystemCalls.Failure) {
      if isStandardOutput { return try content(Sink(descriptor: 1)) }
      guard let status = try existingStatus() else {
        return try replace(name, with: content, permissions: nil)
      }
      if status.isRegularFile {
        let target = try SystemCalls.resolved(name)
        try replace(target, with: content, permissions: status.permissions)
      } else {
        try overwrite(with: content)
      }
    } catch {
      let place = isStandardOutput ? "standard output" : "'\(name)'"
      throw CommandFailure(.cannotWrite, "cannot write \(place): \(error.message)")
    }
  }

  private func existingStatus() throws(SystemCalls.Failure) -> SystemCalls.Status? {
    do {
      return try SystemCalls.status(of: name)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  private func overwrite(with content: Content) throws(SystemCalls.Failure) {
    let descriptor = try SystemCalls.openToWrite(name)
    let result = Result { () throws(SystemCalls.Failure) in
      try content(Sink(descriptor: descriptor))
    }
    try SystemCalls.closeFile(descriptor)
    try result.get()
  }

  /// Writes a neighbour and renames it over the target; a failure removes the neighbour.
  func replace(
    _ target: String, with content: Content, permissions: SystemCalls.Permissions?
  ) throws(SystemCalls.Failure) {
    let (descriptor, neighbour) = try createNeighbour(of: target)
    do throws(SystemCalls.Failure) {
      let result = Result { () throws(SystemCalls.Failure) in
        if let permissions { try SystemCalls.setPermissions(descriptor, permissions) }
        try content(Sink(descriptor: descriptor))
        try SystemCalls.synchronize(descriptor)
      }
      try SystemCalls.closeFile(descriptor)
      try result.get()
      try SystemCalls.move(neighbour, over: target)
    } catch {
      SystemCalls.removeIfPossible(neighbour)
      throw error
    }
  }

  /// A fresh file in the same folder: a rename does not cross file systems.
  private func createNeighbour(
    of target: String
  ) throws(SystemCalls.Failure) -> (descriptor: Int32, path: String) {
    while true {
      let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
      let folderEnd = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
      let path = target[..<folderEnd] + ".entia-\(mark).partial"
      do {
        return (try SystemCalls.create(String(path)), String(path))
      } catch {
        if !error.isTaken { throw error }
      }
    }
  }
}
