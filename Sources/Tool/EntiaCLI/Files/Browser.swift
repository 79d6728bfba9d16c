import Foundation

/// The browser of the user.
enum Browser {
  #if os(macOS)
    private static let program = "open"
  #else
    private static let program = "xdg-open"
  #endif

  /// Opens a page in the browser, with the system's program for this.
  ///
  /// - Throws: A failure with `unavailable` if there is no such program, or if it fails.
  static func open(_ name: String) throws(CommandFailure) {
    let process = Process()
    // `env` searches for the program in the user's path.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, name.hasPrefix("/") ? name : "./" + name]
    var reason = "'\(program)' failed"
    do {
      try process.run()
      process.waitUntilExit()
      if process.terminationReason == .exit, process.terminationStatus == 0 { return }
    } catch {
      reason = "'\(program)' cannot be run"
    }
    throw CommandFailure(
      .unavailable, "cannot open '\(name)': \(reason); open the file in a browser")
  }
}
