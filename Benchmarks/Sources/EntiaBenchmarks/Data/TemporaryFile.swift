import Foundation

/// The path of a SQLite file in a folder that is removed with its object.
final class TemporaryFile {
  private let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("posts.sqlite")
  }

  /// The bytes of SQLite's log beside the file.
  func logBytes() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }
}
