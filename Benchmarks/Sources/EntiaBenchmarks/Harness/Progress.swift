import Foundation

/// A line on standard error with the current case. Nothing is shown if standard error is not a
/// terminal.
struct Progress {
  private let isShown = isatty(STDERR_FILENO) != 0

  func show(_ text: String) {
    guard isShown else { return }
    write("\r\u{1B}[K\(text)")
  }

  func clear() {
    guard isShown else { return }
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
