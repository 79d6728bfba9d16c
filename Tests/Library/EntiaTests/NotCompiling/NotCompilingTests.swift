import EntiaTestSupport
import Foundation
import Testing

/// The programs in `Programs` are type-checked against the modules that this test was built with.
///
/// A comment that begins with `error:` is the error that the compiler reports for the line of code
/// above it, continued by comments that are indented further. `…` stands for any text.
@Suite("Programs that do not compile")
struct NotCompilingTests {
  @Test(
    "A mistake is reported on its line, in words that lead to the remedy",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"),
    arguments: try Program.all())
  func errors(program: Program) async throws {
    let diagnostics = try await Self.diagnostics.value
    let expected = program.expectedErrors
    let found = diagnostics.filter { $0.file == program.name }
    for error in expected where !found.contains(where: error.matches) {
      Issue.record("\(error) is not reported; reported is:\n\(found.lines)")
    }
    for error in found where !expected.contains(where: { $0.matches(error) }) {
      Issue.record("\(error) is not expected")
    }
  }

  @Test(
    "Nothing is reported in expansions that is not reported in the program too",
    .enabled(if: Compiler.found != nil, "there is no Swift compiler beside the runtime or in PATH"))
  func expansions() async throws {
    let expected = try Program.all().flatMap(\.expectedErrors)
    let names = try Program.all().map(\.name)
    let others = try await Self.diagnostics.value.filter { !names.contains($0.file) }
    for error in others where !expected.contains(where: { $0.matchesMessage(of: error) }) {
      Issue.record("\(error) is not expected")
    }
  }

  /// All programs are one module, compiled once.
  private static let diagnostics = Task {
    let compiler = try #require(Compiler.found)
    return try compiler.errors(in: Program.all().map(\.path))
  }
}

extension [CompilerError] {
  fileprivate var lines: String { map(\.description).joined(separator: "\n") }
}
