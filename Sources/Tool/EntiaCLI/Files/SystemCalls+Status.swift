import Foundation

extension SystemCalls {
  /// The identity of a file, regardless of its names. Hard links to the same file have the same
  /// identity.
  struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// A version of a file's content. Writing or replacing the file results in another version.
  struct FileVersion: Hashable {
    let identity: FileIdentity
    let size: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// The status of a file.
  struct Status {
    let isRegularFile: Bool
    let isDirectory: Bool
    let isSymbolicLink: Bool
    let permissions: Permissions
    /// The number of the user who owns the file.
    let owner: UInt32
    let version: FileVersion
    /// The number of names of the file.
    let linkCount: Int

    var identity: FileIdentity { version.identity }
    var size: Int { version.size }
  }

  static func status(of path: String) throws(Failure) -> Status {
    var raw = stat()
    try check { stat(path, &raw) }
    return Status(raw)
  }

  /// Returns the status of a file, or `nil` if it does not exist.
  static func statusIfExists(of path: String) throws(Failure) -> Status? {
    do {
      return try status(of: path)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Returns the status of a name itself: of a symbolic link, not of its target.
  static func linkStatus(of path: String) throws(Failure) -> Status {
    var raw = stat()
    try check { lstat(path, &raw) }
    return Status(raw)
  }

  static func status(of descriptor: Int32) throws(Failure) -> Status {
    var raw = stat()
    try check { fstat(descriptor, &raw) }
    return Status(raw)
  }

  /// Returns the reason why the process may not write a file, or `nil` if it may.
  static func denial(ofWriting path: String) -> Failure? {
    access(path, W_OK) == 0 ? nil : Failure(code: errno)
  }

  /// Whether the process may change the permissions of a file with an owner.
  static func mayChangePermissions(ownedBy owner: UInt32) -> Bool {
    geteuid() == 0 || geteuid() == owner
  }

  /// Returns the name at the end of a chain of symbolic links, whether a file with that name exists
  /// or not.
  ///
  /// The folders in the name may be links, too; only the last component is followed.
  static func followingLinks(_ path: String) throws(Failure) -> String {
    var path = path
    for _ in 0..<maximumLinks {
      do {
        guard try linkStatus(of: path).isSymbolicLink else { return path }
      } catch {
        if error.isMissing { return path }
        throw error
      }
      let target = try linkTarget(path)
      path = target.hasPrefix("/") ? target : folder(of: path) + target
    }
    throw Failure(code: ELOOP)
  }

  /// The number of links that Linux follows.
  private static let maximumLinks = 40

  private static func linkTarget(_ path: String) throws(Failure) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try check {
      bytes.withUnsafeMutableBytes { memory -> Int in
        guard let start = memory.assumingMemoryBound(to: CChar.self).baseAddress else { return 0 }
        return readlink(path, start, memory.count)
      }
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Returns the part of a path before the file name, with its last slash; empty for a bare name.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Returns the names in a folder; none if it cannot be read.
  static func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    } catch {
      return []
    }
  }
}

extension SystemCalls.Status {
  fileprivate init(_ raw: stat) {
    let kind = raw.st_mode & S_IFMT
    isRegularFile = kind == S_IFREG
    isDirectory = kind == S_IFDIR
    isSymbolicLink = kind == S_IFLNK
    permissions = raw.st_mode & 0o7777
    owner = raw.st_uid
    linkCount = Int(raw.st_nlink)
    #if canImport(Darwin)
      let time = raw.st_mtimespec
    #else
      let time = raw.st_mtim
    #endif
    version = SystemCalls.FileVersion(
      identity: SystemCalls.FileIdentity(
        device: UInt64(truncatingIfNeeded: raw.st_dev),
        inode: UInt64(truncatingIfNeeded: raw.st_ino)),
      size: Int(raw.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }
}

extension SystemCalls {
  /// Whether two names refer to the same file, or would if it were created.
  static func areSameFile(_ left: String, _ right: String) throws(Failure) -> Bool {
    let (left, right) = (try followingLinks(left), try followingLinks(right))
    return try place(left) == place(right)
  }

  /// Returns the identity of a file. For a file that does not exist, returns the identity of its
  /// folder and the name of the file.
  private static func place(_ path: String) throws(Failure) -> Place {
    if let file = try statusIfExists(of: path) { return Place(identity: file.identity, name: "") }
    let folder = folder(of: path)
    guard let status = try statusIfExists(of: folder.isEmpty ? "." : folder) else {
      return Place(identity: nil, name: path)
    }
    return Place(identity: status.identity, name: String(path.dropFirst(folder.count)))
  }

  private struct Place: Equatable {
    let identity: FileIdentity?
    let name: String
  }
}
