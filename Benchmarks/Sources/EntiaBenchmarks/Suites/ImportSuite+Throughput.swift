import BenchmarkReport
import EntiaDatabase
import EntiaRecords
import Foundation

extension Case {
  /// Reads the same bytes with each reader. A byte counts as one operation.
  static let throughput = Case(
    "throughput of JSON", note: "nested posts; Python where it is installed",
    unit: .nanosecondsPerByte
  ) { stage in
    let json = json(stage)
    let data = Data(json.bytes)
    return [
      .bytes(Names.entia, json) { try json.countedPosts() },
      .bytes("entia, typed import", json) {
        try Suite.typed(json).snapshot.contents.posts.count
      },
      .bytes("entia, dynamic import", json) {
        try Suite.imported(json).result.first?.keys.count ?? 0
      },
      .bytes("JSONDecoder", json) {
        try JSONDecoder().decode([PlainPost].self, from: data).count
      },
      .bytes("JSONSerialization", json) {
        (try JSONSerialization.jsonObject(with: data) as? [Any])?.count ?? 0
      },
    ] + .python(json)
  }
}

extension Contender {
  fileprivate static func bytes(
    _ name: String, _ json: NestedJSON, _ read: @escaping () throws -> Int
  ) -> Contender {
    Contender(name) { run in
      while run.wantsMore { try run.measure(json.bytes.count, read) }
    }
  }
}

extension [Contender] {
  /// Returns Python's reader in a process of its own, which measures itself; none where there is no
  /// Python.
  fileprivate static func python(_ json: NestedJSON) -> [Contender] {
    let path = "/usr/bin/python3"
    guard FileManager.default.isExecutableFile(atPath: path) else { return [] }
    let program = """
      import json, sys, time
      text = sys.stdin.buffer.read()
      start = time.process_time()
      count = len(json.loads(text))
      print(time.process_time() - start, count)
      """
    return [
      Contender("Python json") { run in
        while run.wantsMore {
          let process = Process()
          process.executableURL = URL(fileURLWithPath: path)
          process.arguments = ["-c", program]
          let (input, output) = (Pipe(), Pipe())
          process.standardInput = input
          process.standardOutput = output
          try process.run()
          try input.fileHandleForWriting.write(contentsOf: json.bytes)
          try input.fileHandleForWriting.close()
          let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          let words = text.split(whereSeparator: \.isWhitespace)
          guard words.count == 2, let seconds = Double(words[0]), let count = Int(words[1]) else {
            throw Disagreement("Python answers “\(text)”")
          }
          run.add(json.bytes.count, nanoseconds: seconds * 1e9, result: count)
        }
      }
    ]
  }
}
