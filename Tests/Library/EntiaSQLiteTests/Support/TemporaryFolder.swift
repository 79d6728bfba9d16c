import Foundation

/// A folder that is removed with its object.
final class TemporaryFolder {
  /// The folder of all of them: in memory where there is room, because the syncs of a disk take
  /// most of the time of a small save. Tests of power loss have a disk of their own, and what a
  /// killed process wrote is left in memory, too.
  private static let parent: String = {
    let memory = "/dev/shm"
    do {
      let space = try FileManager.default.attributesOfFileSystem(forPath: memory)
      let free = (space[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
      if free > 1 << 30, FileManager.default.isWritableFile(atPath: memory) { return memory }
    } catch {
      // There is no such folder.
    }
    return NSTemporaryDirectory()
  }()

  let path: String

  init() throws {
    path = "\(Self.parent)/entia-sqlite-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      print("left \(path): \(error)")
    }
  }

  func file(_ name: String = "database.sqlite") -> String { "\(path)/\(name)" }
}
