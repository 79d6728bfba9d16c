import EntiaTestSupport
import Foundation
import Testing

/// The Swift code of the README, the articles, the guides and the tutorials is type-checked as one
/// module, against the modules that this test was built with.
@Suite("Code of the pages")
struct GuideCodeTests {
  @Test(
    "Every block compiles",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
  func compiles() throws {
    let pages = try GuidePage.all()
    let errors = try Self.errors(in: pages)
    let names = Set(pages.map { URL(fileURLWithPath: $0.path).lastPathComponent })
    // An error in an expansion is reported in the page too, as a rule.
    let inPages = errors.filter { names.contains($0.file) }
    for error in inPages.isEmpty ? errors : inPages { Issue.record("\(error)") }
  }

  @Test(
    "An error is reported in the line of the page",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
  func place() throws {
    let text = """
      # A page

      ```swift
      struct Book { let id: Int }
      ```

      <!-- swift before
      let book = Book(id: 1)
      -->
      ```swift
      print(book.id)
      print(book.title)
      ```

      <!-- swift: continues -->
      ```swift
      let id: String = book.id
      ```
      """
    let page = try GuidePage(path: "Page.md", text: text)
    let errors = try Self.errors(in: [page, page])
    #expect(Set(errors.map(\.line)) == [12, 17])
    #expect(Set(errors.map(\.file)) == ["Page.md"])
  }

  @Test("A mark that does not exist, and a block without an end, are reported")
  func mistakes() {
    #expect(throws: GuideError.self) {
      try GuidePage(path: "Page.md", text: "<!-- swift: continuous -->")
    }
    #expect(throws: GuideError.self) { try GuidePage(path: "Page.md", text: "```swift") }
    #expect(throws: GuideError.self) {
      try GuidePage(path: "Page.md", text: "<!-- swift after\n}\n-->")
    }
  }

  /// Type-checks the code of pages; code for modules that this system lacks is left out.
  private static func errors(in pages: [GuidePage]) throws -> [CompilerError] {
    let compiler = try #require(Compiler.found)
    let missing = try ["EntiaSQLite", "EntiaPostgreSQL"].filter { try !compiler.hasModule($0) }
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("entia-guide-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      do { try files.removeItem(at: folder) } catch { Issue.record(error) }
    }
    var paths: [String] = []
    for (number, page) in pages.enumerated() {
      let program = GuideProgram(page) { name in
        let path = "Tests/Library/EntiaGuideTests/Preambles/\(name).swift"
        return try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
      }
      for (part, text) in try program.files().enumerated() {
        if missing.contains(where: { text.contains("import \($0)") }) { continue }
        let path = folder.appendingPathComponent("page\(number)-\(part).swift")
        try text.write(to: path, atomically: true, encoding: .utf8)
        paths.append(path.path)
      }
    }
    let modules = ["EntiaSystemSQLite", "EntiaSystemPostgreSQL", "EntiaExplorerWeb/include"]
    let headers = modules.map {
      Repository.root.appendingPathComponent("Sources/Library/\($0)").path
    }
    return try compiler.errors(in: paths, includePaths: headers)
  }
}
