import EntiaTestSupport
import Foundation
import SwiftParser
import SwiftSyntax
import Testing

@testable import EntiaMacroExpansion

/// How many times as much is tried as by default, from `ENTIA_TEST_SCALE`.
private let scale =
  ProcessInfo.processInfo.environment["ENTIA_TEST_SCALE"].flatMap { Int($0) }.map { max(1, $0) }
  ?? 1

/// Compares what our parser finds with what the toolchain's own finds.
@Suite("The declaration parser against the toolchain's")
struct DifferentialTests {
  @Test("Every struct of this package is parsed alike")
  func package() throws {
    var compared = 0
    for room in ["Sources", "Tests", "Benchmarks"] {
      compared += try compareFiles(under: Repository.root.appendingPathComponent(room))
    }
    #expect(compared > 30, "The files of the package were not found")
  }

  @Test(
    "Every struct of further sources is parsed alike",
    .enabled(if: ProcessInfo.processInfo.environment["ENTIA_DIFFERENTIAL_SOURCES"] != nil))
  func furtherSources() throws {
    let paths = ProcessInfo.processInfo.environment["ENTIA_DIFFERENTIAL_SOURCES"] ?? ""
    var compared = 0
    for path in paths.split(separator: ":") {
      let found = try compareFiles(under: URL(fileURLWithPath: String(path)))
      #expect(found > 0, "no struct under \(path)")
      compared += found
    }
    print("Compared \(compared) structs")
  }

  @Test("Generated structs are parsed alike", arguments: 0..<UInt64(400 * scale))
  func generated(seed: UInt64) {
    var generator = DeclarationGenerator(seed: seed)
    let source = generator.structDeclaration()
    #expect(compareStructs(of: source, origin: "seed \(seed)") >= 1)
  }

  private func compareFiles(under folder: URL) throws -> Int {
    guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return 0 }
    var compared = 0
    for case let file as URL in files
    where ["swift", "swiftinterface"].contains(file.pathExtension) {
      let source = try String(contentsOf: file, encoding: .utf8)
      compared += compareStructs(of: source, origin: file.path)
    }
    return compared
  }

  /// Compares each struct of `source` and gives how many there were.
  private func compareStructs(of source: String, origin: String) -> Int {
    let collector = StructCollector(viewMode: .sourceAccurate)
    let tree = Parser.parse(source: source)
    guard !tree.hasError else { return 0 }
    collector.walk(tree)
    for node in collector.structs {
      let bytes = SourceBytes(node.description)
      let ours = DeclarationParser.parse(bytes).map { Outline($0, in: bytes) }
      let theirs = Outline(node)
      guard ours != theirs else { continue }
      let mine = ours?.lines ?? []
      let index = zip(mine, theirs.lines).enumerated().first { $0.element.0 != $0.element.1 }?
        .offset
      let line = index ?? min(mine.count, theirs.lines.count)
      Issue.record(
        """
        \(origin): \(node.name.text), line \(line) of the outline
        ours:   \(mine.dropFirst(line).first ?? "(end)")
        theirs: \(theirs.lines.dropFirst(line).first ?? "(end)")
        """)
    }
    return collector.structs.count
  }
}

private final class StructCollector: SyntaxVisitor {
  var structs: [StructDeclSyntax] = []

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    structs.append(node)
    return .visitChildren
  }
}
