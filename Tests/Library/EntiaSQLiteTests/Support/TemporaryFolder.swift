import Foundation

/// A folder that is removed with its object.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "entia-sqlite-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      print("left \(path): \(error)")
    }
  }

  func file(_ name: String = "database.sqlite") -> String { "\(path)/\(name)" }
}
