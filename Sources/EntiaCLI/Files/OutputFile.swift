/// A file that is written whole or not at all, or standard output.
struct OutputFile {
  /// How standard output is spelled on the command line.
  static let standardOutput = "-"

  /// The name as it was typed.
  let name: String

  var isStandardOutput: Bool { name == Self.standardOutput }

  /// Puts the bytes there.
  ///
  /// A regular file is replaced by renaming a finished neighbour over it, so whoever reads it sees
  /// the old content or the new, and a failure leaves the old. Devices and pipes are written to as
  /// they are: renaming over `/dev/null` would replace it.
  ///
  /// Throws `cannotWrite`.
  ///
  /// - Complexity: O(*n*) in the bytes.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try write { (put) throws(SystemCalls.Failure) in try put(bytes) }
  }

  /// Takes pieces of what is to be written, one after the other.
  typealias Put = ([UInt8]) throws(SystemCalls.Failure) -> Void

  /// Puts there what the closure gives, piece by piece, as ``write(_:)`` does.
  func write(
    _ pieces: (Put) throws(SystemCalls.Failure) -> Void
  ) throws(CommandFailure) {
    do throws(SystemCalls.Failure) {
      if isStandardOutput { return try pieces(Self.putting(into: 1)) }
      guard let status = try existingStatus() else {
        return try replace(name, with: pieces, permissions: nil)
      }
      if status.isRegularFile {
        let target = try SystemCalls.resolved(name)
        try replace(target, with: pieces, permissions: status.permissions)
      } else {
        try overwrite(with: pieces)
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

  private static func putting(into descriptor: Int32) -> Put {
    { (bytes) throws(SystemCalls.Failure) in try SystemCalls.writeAll(bytes, to: descriptor) }
  }

  private func overwrite(
    with pieces: (Put) throws(SystemCalls.Failure) -> Void
  ) throws(SystemCalls.Failure) {
    let descriptor = try SystemCalls.openToWrite(name)
    let result = Result { () throws(SystemCalls.Failure) in
      try pieces(Self.putting(into: descriptor))
    }
    try SystemCalls.closeFile(descriptor)
    try result.get()
  }

  /// Writes a neighbour and renames it over the target; a failure removes the neighbour.
  func replace(
    _ target: String, with pieces: (Put) throws(SystemCalls.Failure) -> Void,
    permissions: SystemCalls.Permissions?
  ) throws(SystemCalls.Failure) {
    let (descriptor, neighbour) = try createNeighbour(of: target)
    do throws(SystemCalls.Failure) {
      let result = Result { () throws(SystemCalls.Failure) in
        if let permissions { try SystemCalls.setPermissions(descriptor, permissions) }
        try pieces(Self.putting(into: descriptor))
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

  /// Does the same with bytes that are there already.
  func replace(
    _ target: String, with bytes: [UInt8], permissions: SystemCalls.Permissions?
  ) throws(SystemCalls.Failure) {
    try replace(
      target, with: { (put) throws(SystemCalls.Failure) in try put(bytes) },
      permissions: permissions)
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
