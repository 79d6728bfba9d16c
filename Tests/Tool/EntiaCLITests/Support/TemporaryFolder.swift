import Foundation

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "entia-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // A folder that stays behind in the temporary directory harms nobody.
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder, whether it is there or not.
  func path(_ name: String) -> String {
    url.appending(path: name).path(percentEncoded: false)
  }

  /// Writes a file and gives its path.
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return path(name)
  }

  /// The text of a file.
  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
  }

  /// The names of everything in the folder, hidden files too.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
  }
}
