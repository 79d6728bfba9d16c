public import Foundation

/// A browser without a window, for the tests of pages.
public enum Chromium {
  /// The failure of a page in the browser.
  public struct Failure: Error, CustomStringConvertible {
    /// The page and the reason.
    public let description: String
  }

  /// The path of the browser; `nil` if there is none.
  public static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    let places =
      folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      + ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Whether pages are tested in the browser: with `ENTIA_BROWSER=1`, where there is one.
  public static let isWanted =
    path != nil && ProcessInfo.processInfo.environment["ENTIA_BROWSER"] == "1"

  /// Opens a page and returns its elements as text, after its script has run.
  /// - Parameters:
  ///   - page: The path of the page.
  ///   - place: The part of the address after the path.
  ///   - folder: A folder for the files of the browser.
  ///   - width: The width of the window.
  /// - Returns: The elements.
  /// - Throws: A ``Failure`` if there is no browser, or the error of running it.
  public static func elements(
    of page: String, at place: String, in folder: URL, width: Int = 1400
  ) throws -> String {
    guard let path else { throw Failure(description: "there is no browser") }
    let process = Process()
    process.executableURL = URL(filePath: path)
    let profile = folder.appending(path: "profile-\(UUID().uuidString)")
    // The time of the page is virtual: it passes as soon as nothing is left to do.
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--window-size=\(width),900",
      "--user-data-dir=\(profile.path(percentEncoded: false))",
      "--virtual-time-budget=60000", "--dump-dom",
      URL(filePath: page).absoluteString + place,
    ]
    let output = folder.appending(path: "elements-\(UUID().uuidString)")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }

  /// Runs the checks of `check.js` at the end of a page's script.
  ///
  /// The policy of the checked copy allows all inline scripts, so that nothing but the page's own
  /// escapes keeps content from becoming code.
  /// - Parameters:
  ///   - page: The path of the page.
  ///   - statistics: What `entia stats --json` prints of the same database.
  ///   - folder: A folder for the files of the browser.
  ///   - width: The width of the window.
  /// - Returns: The report of the checks.
  /// - Throws: A ``Failure`` if a check fails, if there is no report, or if content became code.
  public static func check(
    _ page: String, statistics: String? = nil, in folder: URL, width: Int = 1400
  ) throws -> String {
    let checks = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "check.js"),
      encoding: .utf8)
    let text = try String(contentsOf: URL(filePath: page), encoding: .utf8)
    let policy = try Regex("script-src 'sha256-[^']*'")
    guard let end = text.range(of: "})();\n</script>", options: .backwards),
      let source = text.firstRange(of: policy)
    else { throw Failure(description: "no script: \(page)") }
    let copy = folder.appending(path: "check-\(UUID().uuidString).html")
    let parts = [
      text[..<source.lowerBound], "script-src 'unsafe-inline'",
      text[source.upperBound..<end.lowerBound], "const statistics = \(statistics ?? "null");\n",
      checks[...], text[end.lowerBound...],
    ]
    try parts.joined().write(to: copy, atomically: true, encoding: .utf8)
    let elements = try elements(
      of: copy.path(percentEncoded: false), at: "", in: folder, width: width)
    guard let start = elements.range(of: "<pre id=\"selftest\"") else {
      throw Failure(description: "no report: \(page)")
    }
    let report = elements[start.lowerBound...].prefix { $0 != "\0" }
    let reportEnd = report.range(of: "</pre>")?.lowerBound ?? report.endIndex
    let result = String(report[..<reportEnd])
    if !result.contains("data-result=\"passed\"") {
      throw Failure(description: "\(page): \(result)")
    }
    if elements.contains("data-hostile") {
      throw Failure(description: "\(page): content became code")
    }
    return result
  }
}
