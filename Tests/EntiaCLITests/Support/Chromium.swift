import Foundation
import Testing

/// A browser without a window, for the tests of pages.
enum Chromium {
  /// The path of the browser; `nil` if there is none.
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    let places =
      folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      + ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"]
    return places.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Opens a page and returns its elements as text, after its script has run.
  static func elements(of page: String, at place: String, in folder: TemporaryFolder) throws
    -> String
  {
    let process = Process()
    process.executableURL = URL(filePath: try #require(path))
    // The time of the page is virtual: it passes as soon as nothing is left to do.
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900",
      "--user-data-dir=\(folder.path("profile-\(UUID().uuidString)"))",
      "--virtual-time-budget=60000", "--dump-dom",
      URL(filePath: page).absoluteString + place,
    ]
    let name = "elements-\(UUID().uuidString)"
    _ = try folder.write("", to: name)
    process.standardOutput = try FileHandle(forWritingTo: folder.url.appending(path: name))
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try folder.text(of: name)
  }

  /// Runs the checks of a page on itself, and returns their report.
  ///
  /// The test fails if a check does, or if there is no report.
  static func check(_ page: String, in folder: TemporaryFolder) throws -> String {
    let elements = try elements(of: page, at: "#selftest", in: folder)
    let start = try #require(elements.range(of: "<pre id=\"selftest\""), "no report: \(page)")
    let report = elements[start.lowerBound...].prefix { $0 != "\0" }
    let end = report.range(of: "</pre>")?.lowerBound ?? report.endIndex
    let text = String(report[..<end])
    #expect(text.contains("data-result=\"passed\""), "\(page): \(text)")
    #expect(!elements.contains("data-hostile"), "content became code")
    return text
  }
}
