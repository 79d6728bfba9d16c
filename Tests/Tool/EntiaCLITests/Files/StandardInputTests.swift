import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

/// What can be read only once is read as files are.
@Suite("Standard input and pipes")
struct StandardInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(
    _ fill: (UnsafeMutableRawBufferPointer) throws -> Int, _ count: Int
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
      initialized = try fill(UnsafeMutableRawBufferPointer(memory))
    }
  }

  @Test("An input is read only as far as necessary, and again from its beginning")
  func lazily() throws {
    let pipe = Pipe()
    let spool = SpooledInput(dup(pipe.fileHandleForReading.fileDescriptor))
    pipe.fileHandleForWriting.write(Data("abcdef".utf8))
    let first = spool.reading()
    try expectEqual(read(first, 2), Array("ab".utf8))
    let second = spool.reading()
    try expectEqual(read(second, 1), Array("a".utf8))
    try expectEqual(read(second, 1), Array("b".utf8))
    // The pipe is still open: reading the whole of it would wait for ever.
    try expectEqual(read(second, 4), Array("cdef".utf8))
    try pipe.fileHandleForWriting.close()
    try expectEqual(read(second, 9), [])
    try expectEqual(read(first, 9), Array("cdef".utf8))
    try expectEqual(read(first, 9), [])
  }

  @Test("An input of any length has the same content each time it is read, and leaves no file")
  func long() throws {
    // A prime number of bytes again and again, so that no two places in a block are alike.
    let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    var content: [UInt8] = []
    while content.count < 9_000_000 { content += block }
    let expected = content
    let path = folder.path("pipe")
    mkfifo(path, 0o600)
    let writer = Thread {
      FileHandle(forWritingAtPath: path)?.write(Data(expected))
    }
    writer.start()
    let spool = SpooledInput(try SystemCalls.openToRead(path))
    for size in [700_000, 1 << 20, 10_000_000] {
      let fill = spool.reading()
      var all: [UInt8] = []
      while true {
        let part = try read(fill, size)
        if part.isEmpty { break }
        all += part
      }
      let isSame = all == expected
      expectTrue(isSame)
    }
    try expectEqual(folder.names(), ["pipe"])
  }

  @Test("Files, pipes and standard input import to one database, problems included")
  func same() throws {
    // Longer than what is kept in memory of a pipe.
    let text = String(repeating: "x", count: 600)
    let lines = (0..<7_500).map { "{\"id\":\($0),\"text\":\"\(text)\"}" }
    _ = try folder.write(lines.joined(separator: "\n"), to: "in.ndjson")
    _ = try folder.write((lines + ["{\"text\":1}"]).joined(separator: "\n"), to: "bad.ndjson")
    _ = try folder.write("{\"entities\":{\"a\":{}}}", to: "s.json")
    let options = "--format ndjson --schema s.json --root a -o -"
    let file = try EntiaProcess.shell("entia import in.ndjson \(options)", in: folder)
    try #require(file.exitCode == 0, "\(file.errorText)")
    for line in [
      "cat in.ndjson | entia import - \(options)", "entia import - \(options) < in.ndjson",
      "cat in.ndjson | entia import /dev/stdin \(options)",
      "gzip -c in.ndjson > in.gz; entia import in.gz \(options)",
      "gzip -c in.ndjson | entia import - \(options)",
    ] {
      let outcome = try EntiaProcess.shell(line, in: folder)
      expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
      expectEqual(outcome.output, file.output, "\(line)")
    }
    let bad = try EntiaProcess.shell("cat bad.ndjson | entia import - \(options)", in: folder)
    expectEqual(bad.exitCode, 65)
    expectTrue(
      bad.errorText.contains("-:7501: $[7500]: error: missingID"), "\(bad.errorText.suffix(300))")
  }

  @Test("Standard input is read from its current position")
  func position() throws {
    _ = try folder.write("skipped\n{\"a\":[{\"id\":1}]}", to: "in.txt")
    let outcome = try EntiaProcess.shell("{ read line; entia stats -; } < in.txt", in: folder)
    // Shells read a file byte by byte or seek back, so that the next program goes on there.
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
  }

  @Test("A schema and a database are read from pipes too")
  func others() throws {
    _ = try folder.write("[{\"id\":1}]", to: "in.json")
    let outcome = try EntiaProcess.shell(
      "echo '{\"entities\":{\"a\":{}}}' | entia import in.json --schema - --root a -o db.json "
        + "&& cat db.json | entia verify - && echo '{\"entities\":{\"a\":{}}}' | entia schema -",
      in: folder)
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    expectTrue(outcome.outputText.contains("-: 1 row in 1 entity, no problems\n"))
  }

  @Test("Truncated or damaged gzip is 74 with a message that names gzip")
  func damagedGzip() throws {
    let rows = (0..<5000).map { "{\"id\":\($0)}" }.joined(separator: ",")
    _ = try folder.write("{\"a\":[\(rows)]}", to: "in.json")
    let cut = try EntiaProcess.shell(
      "gzip -c in.json | head -c 3000 > cut.gz; entia import cut.gz", in: folder)
    expectEqual(cut.exitCode, 74)
    expectTrue(cut.errorText.contains("the gzip data end too early"), "\(cut.errorText)")
    let bad = try EntiaProcess.shell(
      "{ gzip -c in.json | head -c -8; printf 12345678; } > bad.gz; entia import bad.gz",
      in: folder)
    expectEqual(bad.exitCode, 74)
    expectTrue(bad.errorText.contains("the gzip data are damaged"), "\(bad.errorText)")
  }

  @Test("Several gzip files one after the other are one input")
  func members() throws {
    let outcome = try EntiaProcess.shell(
      "{ printf '{\"a\":[{\"id\"' | gzip; printf ':1}]}' | gzip; head -c 512 /dev/zero; } > in.gz; "
        + "entia stats in.gz", in: folder)
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
  }
}
