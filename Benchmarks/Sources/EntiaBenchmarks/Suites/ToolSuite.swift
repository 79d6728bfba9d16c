import BenchmarkReport
import EntiaRecords
import Foundation

extension Suite {
  /// The tool's import of a file into another, compared with reading the file in Python.
  static let tool = Suite(
    name: "tool", summary: "entia import -o", bytesPerRow: 1_000,
    reasonToSkipAll: { Tool.reasonToSkip },
    cases: ToolInput.Form.allCases.map(Case.toolTime) + ToolInput.Form.allCases.map(Case.toolPeak))
}

/// The release build of the tool, in the package above this one.
enum Tool {
  static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../.build/release/entia").standardized.path

  static var reasonToSkip: String? {
    FileManager.default.isExecutableFile(atPath: path)
      ? nil : "there is no \(path); swift build -c release --product entia makes it"
  }
}

/// Files that the tool imports.
struct ToolInput {
  enum Form: String, CaseIterable {
    /// Posts that contain their author and comments, which contain their authors.
    case nested
    /// The same posts, one on each line.
    case ndjson
    /// Tables, in which no row repeats: more rows a byte.
    case tables
  }

  let folder: TemporaryFolder
  let path: String
  let bytes: Int
  /// The arguments of the tool.
  let arguments: [String]

  init(_ form: Form, posts: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path("posts.json")
    var text: [UInt8] = []
    switch form {
    case .nested: text = NestedJSON(posts: posts).bytes
    case .ndjson:
      // No string in these posts has a bracket, and no object begins behind a comma elsewhere.
      let nested = String(
        decoding: NestedJSON(posts: posts).bytes.dropFirst().dropLast(), as: UTF8.self)
      text = Array(nested.replacingOccurrences(of: "]},{", with: "]}\n{").utf8)
    case .tables:
      let blog = try GeneratedBlog(
        authors: max(1, posts / 50), posts: posts, comments: 3 * posts, seed: 1)
      blog.write(as: .tables) { text += $0 }
    }
    bytes = text.count
    try Data(text).write(to: URL(fileURLWithPath: path))
    let output = folder.path("out.json")
    guard form != .tables else {
      arguments = ["import", "-o", output, path]
      return
    }
    let schema = folder.path("schema.json")
    try Data(NestedJSON.schema.bytes()).write(to: URL(fileURLWithPath: schema))
    arguments = ["import", "--schema", schema, "--root", "posts", "-o", output, path]
  }

  /// Imports the file.
  func imported() throws -> MeasuredProgram.Usage {
    try MeasuredProgram.run(Tool.path, arguments)
  }
}

extension Case {
  private static func prepared(_ form: ToolInput.Form, _ stage: Stage) throws -> ToolInput {
    try ToolInput(form, posts: max(10, stage.size / 10))
  }

  fileprivate static func toolTime(_ form: ToolInput.Form) -> Case {
    let python = "Python json"
    return Case(
      "entia import -o of \(form.rawValue)", unit: .nanosecondsPerByte,
      bars: [.atMillion(of: python, form == .tables ? 0.7 : 0.5)]
    ) { stage in
      let input = try prepared(form, stage)
      func program(_ name: String, _ run: @escaping () throws -> MeasuredProgram.Usage) -> Contender
      {
        Contender(name, isComparable: false) { turn in
          while turn.wantsMore {
            turn.add(input.bytes, nanoseconds: try run().nanoseconds, result: 0)
          }
        }
      }
      let path = "/usr/bin/python3"
      let reading =
        form == .ndjson
        ? "[json.loads(line) for line in open(sys.argv[1])]" : "json.load(open(sys.argv[1]))"
      return [program(Names.entia, input.imported)]
        + (FileManager.default.isExecutableFile(atPath: path)
          ? [
            program(python) {
              try MeasuredProgram.run(path, ["-c", "import json, sys; \(reading)", input.path])
            }
          ] : [])
    }
  }

  fileprivate static func toolPeak(_ form: ToolInput.Form) -> Case {
    Case(
      "peak memory of entia import -o of \(form.rawValue), a byte of the file", unit: .bytes,
      bars: [.absoluteAtMillion(2)], isCounted: true
    ) { stage in
      let input = try prepared(form, stage)
      return [
        Contender(Names.entia) { run in
          run.record(try input.imported().peakBytes / Double(input.bytes))
        }
      ]
    }
  }
}
