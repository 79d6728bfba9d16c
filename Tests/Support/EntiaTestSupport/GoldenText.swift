import Foundation

/// The exact text of a form, in a file of `Fixtures/forms`.
public enum GoldenText {
  /// Returns the text of a file. With `ENTIA_RECORD_FIXTURES=1`, the file is written first.
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - text: The text that the library gives now.
  public static func of(_ name: String, recording text: String) throws -> String {
    let url = Repository.root.appending(path: "Fixtures/forms/\(name)")
    if ProcessInfo.processInfo.environment["ENTIA_RECORD_FIXTURES"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }
}
