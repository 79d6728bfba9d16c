import Foundation

/// A path in a folder that is removed with its object.
final class TemporaryFile {
  private let folder: URL
  let path: String

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("entia-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("posts.sqlite").path
  }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch {
      // The system removes it later.
    }
  }

  /// The bytes of SQLite's log beside the file.
  func logBytes() throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
    return (attributes[.size] as? NSNumber)?.intValue ?? 0
  }
}
