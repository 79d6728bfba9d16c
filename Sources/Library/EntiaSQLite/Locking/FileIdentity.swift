import Foundation

/// The identity of a file, and some of the file's attributes. The identity does not depend on the
/// path of the file. Two values are equal if the identities are equal, even if the attributes
/// differ.
struct FileIdentity: Hashable {
  private let system: UInt64
  private let file: UInt64
  /// The size in bytes.
  let size: Int64
  /// The time of the last change of the contents or the permissions, in nanoseconds since 1970.
  let changeTime: Int64
  /// The permissions of the owner, the group and others.
  let permissions: mode_t
  /// Whether the path leads to a file, and not to a folder or a device.
  let isRegular: Bool

  /// Creates the identity of the file that a path leads to, or `nil` if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    system = UInt64(status.st_dev)
    file = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let changed = status.st_ctimespec
    #else
      let changed = status.st_ctim
    #endif
    changeTime = Int64(changed.tv_sec) * 1_000_000_000 + Int64(changed.tv_nsec)
    permissions = status.st_mode & 0o777
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.system, lhs.file) == (rhs.system, rhs.file)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(system)
    hasher.combine(file)
  }
}
