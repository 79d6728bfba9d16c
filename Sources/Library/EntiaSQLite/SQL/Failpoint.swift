/// The points at which tests end the process or make a write fail.
package enum Failpoint {
  /// Called with the name of each point that a save reaches; `nil` outside tests.
  // Set once, before the first file is opened.
  nonisolated(unsafe) package static var hook: (@Sendable (String) throws -> Void)?

  /// Notes that a save reaches a point.
  /// - Throws: The error of the hook.
  static func reach(_ name: String) throws {
    if let hook { try hook(name) }
  }
}
