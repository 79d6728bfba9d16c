import Foundation

/// The description of the machine in a report.
enum Machine {
  static var text: String {
    "\(compiler), \(system) \(architecture), \(ProcessInfo.processInfo.activeProcessorCount) cores"
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "Swift 6.4 or newer"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #elseif compiler(>=6.2)
      "Swift 6.2"
    #else
      "Swift 6.1"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      "Linux"
    #else
      "macOS"
    #endif
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "arm64"
    #else
      "of another architecture"
    #endif
  }
}
