import EntiaTestSupport
import Foundation

/// A page with code blocks: a Markdown file, or the file of a tutorial's step.
///
/// A comment above a fence decides how its block is compiled:
///
/// ```text
/// <!-- swift: not compiled: REASON -->    code of another library, or a fragment
/// <!-- swift: continues -->               the statements follow those of the block above
/// <!-- swift: new file -->                the names of the blocks above are not in scope
/// <!-- swift: with NAME -->               the declarations of Preambles/NAME.swift are in scope
/// ```
///
/// Code that the page needs and does not show is in a comment that begins with `<!-- swift before`
/// or `<!-- swift hidden`, or, below a fence, with `<!-- swift after`.
struct GuidePage: Sendable {
  /// The path from the root of the package.
  let path: String
  /// The code blocks, in order.
  let blocks: [GuideBlock]

  /// Creates a page from its text.
  init(path: String, text: String) throws {
    self.path = path
    let lines = text.components(separatedBy: "\n")
    if path.hasSuffix(".swift") {
      blocks = [GuideBlock(line: 1, text: lines)]
      return
    }
    var reader = GuideReader(path: path)
    for (index, line) in lines.enumerated() { try reader.read(line, number: index + 1) }
    blocks = try reader.finish(lineCount: lines.count)
  }

  /// Reads all pages: the package's own, the articles and the steps of the tutorials.
  static func all() throws -> [GuidePage] {
    let top = ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md"]
    let sources = Repository.root.appendingPathComponent("Sources").path
    let names = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    let articles = names.filter { name in
      // Manifests, and the files of a package with two modules, are compiled where the tutorials
      // are followed.
      name.contains(".docc/") && !name.hasSuffix("Package.swift")
        && !name.contains("Tutorials/Recipes/")
        && [".md", ".tutorial", ".swift"].contains { name.hasSuffix($0) }
    }
    return try (top + articles.sorted().map { "Sources/\($0)" }).map { path in
      let text = try String(
        contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
      return try GuidePage(path: path, text: text)
    }
  }
}

/// A code block of a page.
struct GuideBlock: Equatable, Sendable {
  /// The relation of a block to the blocks above it.
  enum Scope: Equatable, Sendable { case own, continued, newFile }

  /// The line of the first line of code, counted from 1.
  var line: Int
  /// The lines of code, with the hidden ones.
  var text: [String]
  /// The relation to the blocks above.
  var scope = Scope.own
  /// The names of the preambles that are added before the block.
  var preambles: [String] = []
}

/// A mistake in a comment or a fence of a page.
struct GuideError: Error, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}
