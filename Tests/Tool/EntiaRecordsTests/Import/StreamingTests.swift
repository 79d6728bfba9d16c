import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// Gives a text in pieces of at most so many bytes.
private func reading(_ bytes: [UInt8], of size: Int) -> ByteWindow.Fill {
  var start = 0
  return { memory in
    let count = min(size, memory.count, bytes.count - start)
    memory.copyBytes(from: bytes[start..<start + count])
    start += count
    return count
  }
}

private func pieces(_ bytes: [UInt8], of size: Int) -> ImportSource {
  ImportSource(name: "in.json") { reading(bytes, of: size) }
}

/// What several closures write to.
private final class Noted<Value: Sendable>: @unchecked Sendable {
  // Unchecked because the lock sees to it.
  private let lock = NSLock()
  private var noted: [Value] = []

  func note(_ value: Value) { lock.withLock { noted.append(value) } }
  var all: [Value] { lock.withLock { noted } }
}

@Suite("Import of inputs that are read in pieces")
struct StreamingTests {
  @Test("reading in pieces of any size has the result of reading the whole")
  func law() throws {
    for seed in 0..<UInt64(scaled(13)) {
      var random = SeededGenerator(seed: seed)
      let graph = RandomGraph(using: &random)
      let shapes: [(ImportFormat, String)] = [
        (.nested, graph.nestedArray(depth: 2)), (.tables, graph.tables(asObjects: true)),
        (.django, graph.django), (.jsonapi, graph.jsonAPI), (.graphql, graph.graphQL),
        (.ndjson, graph.nestedRecords(depth: 1).joined(separator: "\r\n \n")),
      ]
      for (format, text) in shapes {
        var bytes = Array(text.utf8)
        for round in 0..<2 {
          if round > 0, let index = bytes.indices.randomElement(using: &random) {
            bytes[index] = Array("{}[]\",:1n\n\u{e9}".utf8).randomElement(using: &random) ?? 0
          }
          let size = Int.random(in: 1...9, using: &random)
          for format in [format, .auto] {
            let options = ImportOptions(format: format, schema: RandomGraph.schema, root: "nodes")
            let whole = Importer.importing(
              [ImportSource(name: "in.json", bytes: bytes)], into: nil, options: options)
            let pieced = Importer.importing([pieces(bytes, of: size)], into: nil, options: options)
            expectEqual(pieced.report, whole.report, "seed \(seed), \(format), pieces of \(size)")
            expectEqual(pieced.database, whole.database, "seed \(seed), \(format)")
          }
        }
      }
    }
  }

  @Test("an input is opened again only if a part has to be read twice")
  func openings() {
    let openings = Noted<Int>()
    let text = Array(nestedBlog.utf8)
    let source = ImportSource(name: "in.json") {
      openings.note(1)
      return reading(text, of: 100)
    }
    let options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
    expectEqual(
      Importer.importing([source], into: nil, options: options).database?.text, blogDatabase)
    expectEqual(openings.all.count, 1)
  }

  @Test("an input that fails in the middle is a problem of its own, and nothing is imported")
  func failure() {
    struct Unplugged: Error, CustomStringConvertible { let description = "the disk is gone" }
    let text = Array(nestedBlog.utf8.prefix(100))
    let source = ImportSource(name: "in.json") {
      var isRead = false
      return { memory in
        if isRead { throw Unplugged() }
        isRead = true
        memory.copyBytes(from: text)
        return text.count
      }
    }
    let options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
    let (database, report) = Importer.importing([source], into: nil, options: options)
    expectNil(database)
    expectEqual(
      problems(report),
      [
        "in.json: $: error: unreadable: the input cannot be read to its end: the disk is gone"
      ])
  }

  @Test("strings and spaces longer than one piece are read")
  func large() throws {
    let long = String(repeating: "x", count: 3_000_000)
    let spaces = String(repeating: " \n", count: 2_000_000)
    let text = "[{\"id\":\"p1\",\"title\":\"\(long)\"},\(spaces){\"id\":\"p2\"},x]"
    let options = ImportOptions(format: .nested, schema: blogSchema, root: "posts")
    let (_, report) = Importer.importing(
      [pieces(Array(text.utf8), of: 1 << 20)], into: nil, options: options)
    expectEqual(
      problems(report),
      [
        "in.json: $[2]: error: malformedJSON: expected a value, found 'x' at line 2000001, column "
          + "13 (byte \(text.utf8.count - 2))"
      ])
    let good = Array(text.replacing(",x]", with: "]").utf8)
    let (database, _) = Importer.importing(
      [pieces(good, of: 1 << 20)], into: nil, options: options)
    expectEqual(database?.count, 2)
  }

  @Test("progress is reported as the bytes are read")
  func progress() {
    let told = Noted<ImportProgress>()
    let records = Array(
      (0..<50_000).map { "{\"id\":\"p\($0)\",\"title\":\"a post\"}" }.joined(separator: "\n").utf8)
    var options = ImportOptions(format: .ndjson, schema: blogSchema, root: "posts")
    options.onProgress = { told.note($0) }
    _ = Importer.importing([pieces(records, of: 1 << 20)], into: nil, options: options)
    let all = told.all
    #expect(all.count >= 2)
    expectEqual(all.last?.bytes, records.count)
    expectTrue(
      zip(all, all.dropFirst()).allSatisfy { $0.bytes <= $1.bytes && $0.records <= $1.records })
  }

  @Test("the spaces that a line begins with count as columns")
  func columns() {
    let text = "{\"id\":1}\n   \t {\"id\":x}\n\n  [1"
    let options = ImportOptions(format: .ndjson, schema: blogSchema, root: "posts")
    let whole = importing([text], options)
    expectEqual(
      problems(whole.report),
      [
        "in.json:2: $[1].id: error: malformedJSON: expected a value, found 'x' at line 2, column 12 "
          + "(byte 20)",
        "in.json:4: $[2]: error: typeMismatch: expected an object as a record of posts, found "
          + "an array",
        "in.json:4: $[2]: error: malformedJSON: the text ends inside an array at line 4, column 5 "
          + "(byte 28)",
      ])
    for size in 1...5 {
      let source = pieces(Array(text.utf8), of: size)
      expectEqual(Importer.importing([source], into: nil, options: options).report, whole.report)
    }
  }
}
