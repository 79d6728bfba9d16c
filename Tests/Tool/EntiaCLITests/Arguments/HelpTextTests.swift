import EntiaTestSupport
import Testing

@testable import EntiaCLI

@Suite("The help texts")
struct HelpTextTests {
  @Test("No line is wider than a terminal")
  func width() {
    let descriptions = EntiaCommand.commands.map { $0.description }
    for text in [HelpText.overview(of: descriptions)] + descriptions.map(HelpText.help(of:)) {
      for line in text.split(separator: "\n") {
        #expect(line.count <= HelpText.width, "\(line)")
      }
    }
  }

  @Test("Each command's help names each of its options and its operand")
  func complete() {
    for command in EntiaCommand.commands {
      let description = command.description
      let text = HelpText.help(of: description)
      for option in description.options { expectTrue(text.contains("\n  \(option.name)")) }
      for operand in description.operands {
        expectTrue(text.contains("\n  \(operand.placeholder)"))
      }
      expectTrue(text.contains("\n  --help"))
    }
  }

  @Test("The usage line of import is the whole of its grammar")
  func usage() {
    expectEqual(
      HelpText.usage(of: ImportCommand.description),
      """
      Usage:
        entia import FILE…
            [--format auto|nested|ndjson|tables|django|jsonapi|graphql|keyed|csv]
            [--schema SCHEMA.json] [--root ENTITY] [--id NAME] [--at PATH]
            [--delimiter CHAR] [--table TABLE]… [--into DB.json] [-o OUT.json]
            [--on-conflict error|replace|keep|merge] [--strict] [--report text|json]
            [--max-problems N] [--dry-run] [--no-wait] [--quiet]
      """)
  }
}
