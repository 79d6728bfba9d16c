import EntiaJSON

/// Shows how far a command has come, on one line that it writes again and again.
///
/// One thread works and shows, so that nothing here is shared.
final class ProgressMeter: @unchecked Sendable {
  // Unchecked because of the state below: only the thread that runs the command calls.

  /// The line is written at most this often.
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let label: String
  private let total: Int
  private let start: Duration
  private var last: Duration
  private var width = 0

  /// Makes a meter where a person is there to see it; there is none for a pipe or a file.
  ///
  /// - Parameters:
  ///   - label: What the line begins with, such as `reading a.json`.
  ///   - total: The bytes that there are; 0 if that is not known.
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

  /// Shows a number of bytes, as an input reports it.
  var showBytes: @Sendable (Int) -> Void { { self.show(bytes: $0) } }

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

extension InputFile {
  /// Calls the closure with the input, and shows meanwhile how much of it was read.
  ///
  /// Throws what ``stream(progress:)`` and the closure do.
  func reading<Result>(
    _ console: Console, _ body: (ImportSource) throws(CommandFailure) -> Result
  ) throws(CommandFailure) -> Result {
    let meter = ProgressMeter(console, label: "reading \(spokenName)", total: size)
    defer { meter?.end() }
    return try body(try stream(progress: meter?.showBytes))
  }
}

extension OutputFile {
  /// Calls the closure with what shows the number of bytes written, and clears that in the end.
  func showing(
    _ console: Console, _ body: (((Int) -> Void)?) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    // On a terminal the output itself shows that it goes on.
    let isShown = !isStandardOutput || !SystemCalls.isTerminal(1)
    let meter = isShown ? ProgressMeter(console, label: "writing", total: 0) : nil
    defer { meter?.end() }
    try body(meter?.showBytes)
  }
}
