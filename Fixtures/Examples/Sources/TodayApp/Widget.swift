import Foundation

/// The program of the widget, which runs beside the app and shows lines.
struct Widget {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(path: String) throws {
    let app = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.executableURL = app.deletingLastPathComponent().appending(path: "TodayWidget")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Returns the next line that the widget shows.
  func nextLine() throws -> String {
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
