import EntiaTestSupport
import Testing

@testable import EntiaCLI

@Suite("The argument parser")
struct ArgumentParserTests {
  private func parse(_ line: String) -> ParsedArguments {
    ArgumentParser.parse(
      line.split(separator: " ").map(String.init), as: ImportCommand.description)
  }

  @Test("An option's value follows it or is attached to it")
  func valueForms() {
    for line in ["a.json --root posts b.json", "a.json --root=posts b.json"] {
      let parsed = parse(line)
      expectEqual(parsed.problems, [])
      expectEqual(parsed.value("--root"), "posts")
      expectEqual(parsed.operands, ["a.json", "b.json"])
    }
    expectEqual(parse("a.json --root=a=b").value("--root"), "a=b")
    expectEqual(parse("a.json -o out.json").value("-o"), "out.json")
    expectEqual(parse("a.json -o=out.json").value("-o"), "out.json")
  }

  @Test("Flags have no values")
  func flags() {
    expectTrue(parse("a.json --strict").has("--strict"))
    expectFalse(parse("a.json").has("--strict"))
    expectEqual(parse("a.json --strict=yes").problems, ["--strict takes no value"])
  }

  @Test("Two dashes end the options")
  func endOfOptions() {
    let parsed = parse("--strict -- --root -o -- a.json")
    expectEqual(parsed.problems, [])
    expectEqual(parsed.operands, ["--root", "-o", "--", "a.json"])
    expectEqual(parsed.inputs, parsed.operands)
    expectNil(parsed.value("--root"))
  }

  @Test("One dash is a file: standard input, or standard output behind -o")
  func singleDash() {
    let parsed = parse("- -o -")
    expectEqual(parsed.problems, [])
    expectEqual(parsed.operands, ["-"])
    expectEqual(parsed.value("-o"), "-")
    expectEqual(parse("- --schema -").problems, ["standard input ('-') can be read only once"])
  }

  @Test("An option given twice is refused, and the first value stays")
  func repeatedOption() {
    let parsed = parse("a.json --root posts --root authors --strict --strict")
    expectEqual(parsed.problems, ["--root is given twice", "--strict is given twice"])
    expectEqual(parsed.value("--root"), "posts")
  }

  @Test(
    "An option that may be repeated keeps every value in order, and negative numbers are values")
  func repeatableOption() {
    let parsed = ArgumentParser.parse(
      ["db.json", "--entity", "posts", "--id", "p2", "--id=p1", "--id", "-5"],
      as: DenormalizeCommand.description)
    expectEqual(parsed.problems, [])
    expectEqual(parsed.values("--id"), ["p2", "p1", "-5"])
  }

  @Test("A missing or empty value, or an option in its place, is reported as missing")
  func missingValue() {
    let message = "--root needs a value: --root ENTITY"
    expectEqual(parse("a.json --root").problems, [message])
    expectEqual(parse("a.json --root --strict").problems, [message])
    expectTrue(parse("a.json --root --strict").has("--strict"))
    expectEqual(parse("a.json --root=").problems, [message])
  }

  @Test("Unknown options and values are reported with the most similar known one")
  func unknownWords() {
    expectEqual(
      parse("a.json --fromat nested").problems,
      ["unknown option '--fromat'; did you mean '--format'?"])
    expectEqual(
      parse("a.json --output=x").problems, ["unknown option '--output'; did you mean '-o'?"])
    expectEqual(
      parse("a.json --format=tabels").problems,
      [
        "--format is one of auto, nested, ndjson, tables, django, jsonapi, graphql, keyed, csv, "
          + "not 'tabels'; did you mean 'tables'?"
      ])
    expectEqual(parse("a.json --zzzzzz=1").problems, ["unknown option '--zzzzzz'"])
  }

  @Test("A word after an unknown option is not treated as a file")
  func doubtfulOperand() {
    let parsed = parse("a.json --fromat nested b.json")
    expectEqual(parsed.inputs, ["a.json", "b.json"])
    expectEqual(parse("--fromat=nested b.json").inputs, ["b.json"])
  }

  @Test("Files are read, written, or both: --into may be missing, so it is no input")
  func inputs() {
    let parsed = parse("a.json --schema s.json --into d.json -o o.json")
    expectEqual(parsed.inputs, ["a.json", "s.json"])
    expectEqual(parsed.outputs, ["o.json"])
    expectEqual(parsed.changed, ["d.json"])
  }

  @Test("A short option's value may follow it at once, and a dash in a value needs '='")
  func shortOptions() {
    let parsed = parse("a.json -oout=1.json")
    expectEqual(parsed.problems, [])
    expectEqual(parsed.value("-o"), "out=1.json")
    expectTrue(parse("a.json -h").requestsHelp)
    expectEqual(
      parse("a.json --root -posts").problems.first,
      "--root needs a value: --root ENTITY; a value that begins with a dash is written "
        + "--root=-posts")
  }

  @Test("Missing required options are listed by name")
  func required() {
    expectEqual(parse("--strict").problems, ["missing FILE…"])
    let parsed = ArgumentParser.parse(["a", "b", "c"], as: DenormalizeCommand.description)
    expectEqual(
      parsed.problems,
      ["unexpected argument 'b'", "unexpected argument 'c'", "missing --entity ENTITY"])
  }

  @Test("Each missing file is reported by its own name, and extra files are refused")
  func severalOperands() {
    func problems(_ words: [String], _ description: CommandDescription) -> [String] {
      ArgumentParser.parse(words, as: description).problems
    }
    expectEqual(problems([], DiffCommand.description), ["missing OLD.json", "missing NEW.json"])
    expectEqual(problems(["a"], DiffCommand.description), ["missing NEW.json"])
    expectEqual(problems(["a", "b"], DiffCommand.description), [])
    expectEqual(problems(["a", "b", "c"], DiffCommand.description), ["unexpected argument 'c'"])
    let counts = ["--authors=0", "--posts=0", "--comments=0", "--seed=0"]
    expectEqual(problems(counts, GenerateCommand.description), [])
    expectEqual(problems(counts + ["a"], GenerateCommand.description), ["unexpected argument 'a'"])
  }

  @Test(
    "A count is a whole number from zero",
    arguments: ["-1", "two", "1.5", "", "-99999999999999999999", "٣"])
  func badCount(text: String) {
    let parsed = ArgumentParser.parse(
      ["db.json", "--entity=posts", "--depth=\(text)"], as: DenormalizeCommand.description)
    expectEqual(parsed.problems, ["--depth needs a whole number from 0, not '\(text)'"])
  }

  @Test(
    "The greatest count is named",
    arguments: ["9223372036854775808", "18446744073709551615", "99999999999999999999"])
  func greatCount(text: String) {
    func problems(_ text: String) -> [String] {
      ArgumentParser.parse(
        ["db.json", "--entity=posts", "--depth=\(text)"], as: DenormalizeCommand.description
      ).problems
    }
    expectEqual(problems(text), ["--depth is at most 9223372036854775807, not '\(text)'"])
    expectEqual(problems("9223372036854775807"), [])
  }

  @Test(
    "Only commands that write a database take an output with the name of a SQLite database",
    arguments: ["x.sqlite", "x.SQLITE3", "folder/x.db"])
  func databaseNames(name: String) {
    var writers: [String] = []
    for command in EntiaCommand.commands where command.description.option(named: "-o") != nil {
      let problems = ArgumentParser.parse(["-o", name], as: command.description).problems
      let isRefused = problems.contains(
        "'\(name)' would be a SQLite database by its name, and only import, export and pull write "
          + "one; name the file otherwise")
      if !isRefused { writers.append(command.description.name) }
      let other = ArgumentParser.parse(["-o", "x.dbx"], as: command.description).problems
      expectFalse(other.contains { $0.contains("SQLite") })
    }
    expectEqual(writers, ["import", "export", "pull"])
  }

  @Test("--help is recognized among mistakes")
  func help() {
    let parsed = parse("--nonsense a.json --help")
    expectTrue(parsed.requestsHelp)
  }
}
