import EntiaJSON

/// Shows how far an import has come, on one line that it writes again and again.
///
/// One thread imports and shows, so that nothing here is shared.
final class ProgressMeter: @unchecked Sendable {
  // Unchecked because of the state below: only the thread that runs the import calls.

  /// The line is written at most this often.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let total: Int
  private let start: Duration
  private var last: Duration
  private var width = 0

  /// Makes a meter where a person is there to see it; there is none for a pipe or a file.
  init?(_ console: Console, total: Int, isQuiet: Bool) {
    guard !isQuiet, console.isTerminal else { return nil }
    self.console = console
    self.total = total
    start = console.now()
    last = start
  }

  func show(_ progress: ImportProgress) {
    let now = console.now()
    guard now - last >= Self.interval else { return }
    last = now
    write(Self.line(progress, total: total, elapsed: now - start))
  }

  /// Clears the line.
  func end() {
    if width > 0 { write("") }
    width = 0
  }

  private func write(_ line: String) {
    let blanks = String(repeating: " ", count: max(0, width - line.count))
    width = line.count
    // Progress that cannot be shown is no reason to stop.
    do { try console.print("\r\(line)\(blanks)\(line.isEmpty ? "\r" : "")", to: .error) } catch {}
  }

  /// What the line says, such as `12 of 49 MB, 98,304 records, 41 MB/s, 1 s left`.
  static func line(_ progress: ImportProgress, total: Int, elapsed: Duration) -> String {
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Double(progress.bytes) / seconds : 0
    var parts = [
      total > 0
        ? "\(megabytes(progress.bytes)) of \(megabytes(total)) MB"
        : "\(megabytes(progress.bytes)) MB",
      "\(grouped(progress.records)) records",
    ]
    if rate > 0 { parts.append("\(megabytes(Int(rate))) MB/s") }
    if rate > 0, total > progress.bytes {
      parts.append("\(Int((Double(total - progress.bytes) / rate).rounded(.up))) s left")
    }
    return parts.joined(separator: ", ")
  }

  private static func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }

  /// The digits in groups of three.
  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
