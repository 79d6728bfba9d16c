import Foundation

/// A folder that is removed with its object.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("entia-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(at: url) } catch {
      // The system removes it later.
    }
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
