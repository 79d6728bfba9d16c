import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Import problems")
struct ProblemTests {
  @Test("every problem is listed with its path and reason", arguments: wrongInputs)
  func wrong(input: WrongInput) throws {
    let root = input.format == .nested || input.format == .ndjson ? "posts" : nil
    let options = ImportOptions(format: input.format, schema: blogSchema, root: root)
    let other = "[{\"id\":\"other\",\"author\":{\"id\":\"another\"}}]"
    let base = try #require(importing([other]).database)
    for database in [nil, base] {
      let (result, report) = importing([input.text], into: database, options)
      expectEqual(problems(report), input.printed)
      let isRefused = input.problems.contains { $0.contains(": error: ") }
      expectEqual(result == nil, isRefused)
      expectTrue(!isRefused || report.rejected == report.read)
    }
    // Strictly, warnings refuse as well, and nothing else changes.
    var strict = options
    strict.strict = true
    let (result, report) = importing([input.text], strict)
    expectNil(result)
    expectEqual(
      problems(report), input.printed.map { $0.replacing(": warning: ", with: ": error: ") })
  }

  @Test("nested input without a schema or a root is a usage problem")
  func usage() {
    func told(_ options: ImportOptions, _ text: String = "[{\"id\":1}]") -> [String] {
      problems(importing([text], options).report)
    }
    let needs = "in.json: $: error: usage: nested input needs --root, and --schema or --id"
    expectEqual(told(ImportOptions(format: .nested)), [needs])
    expectEqual(told(ImportOptions(format: .nested, root: "posts")), [needs])
    expectEqual(told(ImportOptions(format: .nested, schema: blogSchema)), [needs])
    expectEqual(
      told(ImportOptions(format: .ndjson, schema: blogSchema)),
      [
        "in.json: $: error: usage: ndjson input needs --root, and --schema or --id"
      ])
    expectEqual(
      told(ImportOptions(format: .nested, schema: blogSchema, root: "post")),
      [
        "in.json: $: error: usage: --root \"post\" is no entity of the schema; "
          + "did you mean \"posts\"?"
      ])
    expectEqual(
      told(ImportOptions(schema: blogSchema, root: "zzz"), "{\"posts\":[]}"),
      [
        "in.json: $: error: usage: --root \"zzz\" is no entity of the schema"
      ])
    let choices =
      "; set it with --format nested, ndjson, tables, django, jsonapi, graphql, keyed or csv"
    expectEqual(
      told(ImportOptions(), "[]"),
      [
        "in.json: $: error: usage: the format cannot be recognized: the array is empty, and no "
          + "--root names the entity of its records" + choices
      ])
    expectEqual(
      told(ImportOptions()),
      [
        "in.json: $: error: usage: the format cannot be recognized: an array of nested records "
          + "needs --root, and --schema or --id" + choices
      ])
    expectEqual(
      told(ImportOptions(), "{\"id\":1}"),
      [
        "in.json: $: error: usage: the format cannot be recognized: an object that does not "
          + "contain tables needs --root, and --schema or --id" + choices
      ])
  }

  @Test("an invalid file does not hide the problems of the others")
  func severalFiles() throws {
    let (database, report) = importing(["[{\"id\":1}", "[{\"a\":1},{\"id\":1,\"author\":9}]", "x"])
    expectNil(database)
    expectEqual(
      problems(report),
      [
        "in0.json: $: error: malformedJSON: the text ends inside an array at line 1, column 10 "
          + "(byte 9)",
        "in1.json: $[0]: error: missingID: this record of posts has no \"id\"",
        "in2.json: $: error: malformedJSON: expected a value, found 'x' at line 1, column 1 "
          + "(byte 0)",
      ])
    expectEqual(report.read, 3)
    expectEqual(report.rejected, 3)
  }

  @Test("a conflict names the other file, or the database")
  func conflictPlaces() throws {
    let (_, report) = importing(["[{\"id\":1,\"a\":1}]", "[{\"id\":2},{\"id\":1,\"a\":2}]"])
    expectEqual(
      problems(report),
      [
        "in1.json: $[1]: error: conflict: posts 1 differs in \"a\" (2 here, 1 there) from the "
          + "one in "
          + "in0.json: $[0]"
      ])
    let base = try #require(importing(["[{\"id\":1,\"a\":1}]"]).database)
    expectEqual(
      problems(importing(["[{\"id\":1,\"a\":2}]"], into: base).report),
      [
        "in.json: $[0]: error: conflict: posts 1 differs in \"a\" (2 here, 1 there) from the "
          + "one in "
          + "the database"
      ])
    expectEqual(
      problems(importing(["[{\"id\":\"1\"}]"], into: base).report),
      [
        "in.json: $[0]: error: typeMismatch: posts \"1\" has the same text as the ID 1, of another "
          + "type, in the database"
      ])
    expectEqual(
      problems(importing(["[{\"id\":1.0}]"], into: base).report),
      [
        "in.json: $[0]: error: typeMismatch: posts 1.0 is the same number as the ID 1, in "
          + "another spelling, in the database"
      ])
  }

  @Test("rows of the database that do not fit a new relationship are reported")
  func rereading() throws {
    let base = try #require(
      importing(["{\"posts\":[{\"id\":1,\"author\":{\"id\":1}}]}"], ImportOptions()).database)
    let (database, report) = importing(["{}"], into: base, ImportOptions(schema: blogSchema))
    expectNil(database)
    expectEqual(
      problems(report),
      [
        "the database: $.entities.posts[\"1\"].author: error: typeMismatch: \"author\" of posts 1 "
          + "cannot be read as a relationship"
      ])
  }
}
