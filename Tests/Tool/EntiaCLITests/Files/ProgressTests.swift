import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("Progress")
struct ProgressTests {
  /// What the tool wrote, and a clock that goes on whenever somebody looks at it.
  private final class Screen {
    var output = ""
    var errors = ""
    private var time = Duration.zero

    func console(isTerminal: Bool = true, step: Duration = .seconds(1)) -> Console {
      var console = Console()
      console.isTerminal = isTerminal
      console.write = { (bytes, stream) throws(SystemCalls.Failure) in
        let text = String(decoding: bytes, as: UTF8.self)
        if stream == .error { self.errors += text } else { self.output += text }
      }
      console.now = {
        self.time += step
        return self.time
      }
      return console
    }

    /// The lines that followed each other on one line of the terminal.
    var lines: [String] {
      errors.split(separator: "\r").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
  }

  private func progress(_ bytes: Int, _ records: Int) throws -> ImportProgress {
    // Only an import makes one.
    let seen = Seen()
    let text = "[" + Array(repeating: "{\"id\":1}", count: records).joined(separator: ",") + "]"
    let options = ImportOptions(
      format: .nested, schema: Schema([Schema.Entity("a")]), root: "a",
      onProgress: { seen.note($0) })
    let source = ImportSource(name: "a") {
      var isRead = false
      return { memory in
        if isRead { return 0 }
        isRead = true
        memory.copyBytes(from: Array(text.utf8))
        return text.utf8.count
      }
    }
    _ = Importer.importing([source], into: nil, options: options)
    return try #require(seen.last)
  }

  private final class Seen: @unchecked Sendable {
    // Unchecked because one thread imports and notes.
    private(set) var last: ImportProgress?
    func note(_ progress: ImportProgress) { last = progress }
  }

  @Test("the line has the bytes, the rows, the rate and the remaining time")
  func line() throws {
    let progress = try progress(0, 1500)
    expectEqual(progress.records, 1500)
    let bytes = progress.bytes
    func line(total: Int, seconds: Int) -> String {
      ProgressMeter.line(
        bytes: progress.bytes, records: progress.records, total: total, elapsed: .seconds(seconds))
    }
    expectEqual(bytes, 13_501)
    expectEqual(line(total: 0, seconds: 0), "0 MB, 1,500 records")
    expectEqual(line(total: 0, seconds: 1), "0 MB, 1,500 records, 0 MB/s")
    expectEqual(
      line(total: bytes * 1001, seconds: 1), "0 of 14 MB, 1,500 records, 0 MB/s, 1000 s left")
    expectEqual(line(total: bytes, seconds: 1), "0 of 0 MB, 1,500 records, 0 MB/s")
  }

  @Test("a terminal shows one line that is updated, and cleared at the end")
  func terminal() throws {
    let screen = Screen()
    let meter = try #require(ProgressMeter(screen.console(), total: 20_000_000))
    meter.show(try progress(0, 1000))
    meter.show(try progress(0, 10))
    meter.end()
    expectEqual(screen.lines.count, 2)
    expectEqual(screen.lines.first?.hasPrefix("0 of 20 MB, 1,000 records"), true)
    expectTrue(screen.errors.hasPrefix("\r0 of 20 MB"))
    // The shorter line leaves nothing of the longer one, and the end leaves nothing at all.
    let widths = screen.errors.split(separator: "\r").map(\.count)
    #expect(widths[1] >= widths[0])
    expectTrue(screen.errors.hasSuffix(String(repeating: " ", count: screen.lines[1].count) + "\r"))
    expectFalse(screen.errors.contains("\n"))
  }

  @Test("the line is not written more often than it can be read")
  func interval() throws {
    let screen = Screen()
    let console = screen.console(step: .milliseconds(30))
    let meter = try #require(ProgressMeter(console, total: 1))
    for _ in 0..<20 { meter.show(try progress(0, 1)) }
    expectTrue((4...6).contains(screen.lines.count), "\(screen.lines)")
  }

  @Test("nothing is written to a pipe or a file")
  func nobody() throws {
    let screen = Screen()
    expectNil(ProgressMeter(screen.console(isTerminal: false), total: 1))
    expectEqual(screen.errors, "")
  }

  @Test(
    "import shows it on a terminal only",
    arguments: [(true, false), (true, true), (false, false)])
  func command(isTerminal: Bool, isQuiet: Bool) throws {
    let folder = try TemporaryFolder()
    let row = "{\"id\":1,\"text\":\"" + String(repeating: "x", count: 10_000) + "\"}"
    let data = try folder.write(
      "[" + Array(repeating: row, count: 250).joined(separator: ",") + "]", to: "a.json")
    let schema = try folder.write("{\"entities\":{\"a\":{}}}", to: "schema.json")
    let screen = Screen()
    let words = ["import", data, "--schema", schema, "--root", "a", "-o", folder.path("db.json")]
    let code = EntiaCommand.run(
      words + (isQuiet ? ["--quiet"] : []), console: screen.console(isTerminal: isTerminal))
    expectEqual(code, .success)
    expectTrue(screen.output.contains("read 250: 1 inserted, 0 updated, 249 unchanged"))
    expectEqual(screen.lines.isEmpty, isQuiet || !isTerminal)
    if !screen.lines.isEmpty {
      expectTrue(screen.lines.contains { $0.contains(" of 3 MB, ") && $0.contains(" records, ") })
      expectTrue(screen.errors.hasSuffix("\r"))
    }
  }

  @Test("other commands show how far they have read and written, and only on a terminal")
  func reading() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "x", count: 3_000_000)
    let database = try folder.write("{\"a\":[{\"id\":1,\"text\":\"\(text)\"}]}", to: "db.json")
    for isTerminal in [true, false] {
      let screen = Screen()
      let words = ["denormalize", database, "--entity", "a", "-o", folder.path("out.json")]
      let code = EntiaCommand.run(words, console: screen.console(isTerminal: isTerminal))
      expectEqual(code, .success)
      expectEqual(screen.lines.isEmpty, !isTerminal)
      guard isTerminal else { continue }
      expectTrue(screen.lines.contains { $0.hasPrefix("reading '\(database)': 3 of 3 MB") })
      expectTrue(screen.lines.contains { $0.hasPrefix("writing: 3 MB") })
      expectTrue(screen.errors.hasSuffix("\r"))
    }
  }
}
