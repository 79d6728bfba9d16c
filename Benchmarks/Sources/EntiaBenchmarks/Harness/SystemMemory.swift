import CBenchmarkSupport
import Foundation

/// The memory of the machine.
enum SystemMemory {
  /// The peak resident memory of this program in bytes.
  static var peak: Int { Int(clamping: peak_resident_bytes()) }

  /// The bytes that are available without swapping; `nil` if the system does not report them.
  static var available: Int? {
    #if os(Linux)
      do {
        let text = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
      } catch {
        // Unknown memory is not a reason to skip a size.
        return nil
      }
    #else
      return Int(clamping: ProcessInfo.processInfo.physicalMemory / 4 * 3)
    #endif
  }
}
