import CBenchmarkSupport
import Foundation

/// The memory of the machine.
enum SystemMemory {
  /// The most bytes that this program ever had resident.
  static var peak: Int { Int(clamping: peak_resident_bytes()) }

  /// The bytes that can be had without making others wait; `nil` when the system does not say.
  static var available: Int? {
    #if os(Linux)
      do {
        let text = try String(contentsOfFile: "/proc/meminfo", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
      } catch {
        // A system that does not say is no reason to refuse.
        return nil
      }
    #else
      return Int(clamping: ProcessInfo.processInfo.physicalMemory / 4 * 3)
    #endif
  }
}
