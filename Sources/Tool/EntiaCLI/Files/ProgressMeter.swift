import EntiaJSON

/// Shows the progress of a command on one line that is rewritten repeatedly.
///
/// The same thread does the work and shows the progress, so nothing here is shared.
final class ProgressMeter: @unchecked Sendable {
  // Unchecked because of the state below, which is accessed only on the command's thread.

  /// The minimum time between two updates of the line.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let label: String
  private let total: Int
  private let start: Duration
  private var last: Duration
  private var width = 0

  /// Creates a meter if standard error is a terminal; returns `nil` for a pipe or a file.
  ///
  /// - Parameters:
  ///   - label: The beginning of the line, such as `reading a.json`.
  ///   - total: The total number of bytes; 0 if it is unknown.
  init?(_ console: Console, label: String = "", total: Int) {
    guard console.isTerminal else { return nil }
    self.console = console
    self.label = label
    self.total = total
    start = console.now()
    last = start
  }

  func show(_ progress: ImportProgress) { show(bytes: progress.bytes, records: progress.records) }

  func show(bytes: Int, records: Int? = nil) {
    let now = console.now()
    guard now - last >= Self.interval else { return }
    last = now
    let line = Self.line(bytes: bytes, records: records, total: total, elapsed: now - start)
    write(label.isEmpty ? line : "\(label): \(line)")
  }

  /// A closure that shows a number of bytes. An input or an output calls it.
  var showBytes: @Sendable (Int) -> Void { { self.show(bytes: $0) } }

  /// Clears the line.
  func end() {
    if width > 0 { write("") }
    width = 0
  }

  private func write(_ line: String) {
    let blanks = String(repeating: " ", count: max(0, width - line.count))
    width = line.count
    // Progress that cannot be shown is not a reason to stop.
    do { try console.print("\r\(line)\(blanks)\(line.isEmpty ? "\r" : "")", to: .error) } catch {}
  }

  /// Returns the text of the line, such as `12 of 49 MB, 98,304 records, 41 MB/s, 1 s left`.
  static func line(bytes: Int, records: Int?, total: Int, elapsed: Duration) -> String {
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Double(bytes) / seconds : 0
    var parts = [
      total > 0 ? "\(megabytes(bytes)) of \(megabytes(total)) MB" : "\(megabytes(bytes)) MB"
    ]
    if let records { parts.append("\(grouped(records)) records") }
    if rate > 0 { parts.append("\(megabytes(Int(rate))) MB/s") }
    if rate > 0, total > bytes {
      parts.append("\(Int((Double(total - bytes) / rate).rounded(.up))) s left")
    }
    return parts.joined(separator: ", ")
  }

  private static func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }

  /// Returns the digits in groups of three.
  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}

extension InputFile {
  /// Calls the closure with the input, and shows meanwhile how much of it was read.
  ///
  /// - Throws: The errors of ``stream(progress:)`` and of the closure.
  func reading<Result>(
    _ console: Console, _ body: (ImportSource) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    let meter = ProgressMeter(console, label: "reading \(spokenName)", total: size)
    defer { meter?.end() }
    return try body(
      try stream(progress: meter?.showBytes) { notes in
        console.complain(notes.map { "\(name): \($0)" })
      })
  }
}
