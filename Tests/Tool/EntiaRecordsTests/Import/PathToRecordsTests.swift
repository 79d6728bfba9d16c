import EntiaDatabase
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Records inside an input")
struct PathToRecordsTests {
  private func options(_ path: String, _ format: ImportFormat = .auto) -> ImportOptions {
    var options = ImportOptions(format: format, schema: blogSchema, root: "posts")
    options.at = JSONPath(path)
    return options
  }

  private let page = #"{"count":2,"results":[{"id":5,"author":{"id":1}},{"id":3}],"next":null}"#

  @Test("a path that is written and parsed again is equal")
  func paths() {
    for (text, description) in [
      ("$", "$"), ("", "$"), ("results", "$.results"), ("$.data.items", "$.data.items"),
      ("$.a[0].b", "$.a[0].b"), ("$['odd key'][\"x\"]", "$[\"odd key\"].x"), ("[2]", "$[2]"),
      ("$.results[*]", "$.results"),
    ] {
      expectEqual(JSONPath(text)?.description, description, "\(text)")
    }
    for text in ["$.", "$x", "a..b", "a[", "a[x]", "a['b", "a[1", "a]"] {
      expectNil(JSONPath(text), "\(text)")
    }
  }

  @Test("the value at the path is imported in each shape, and problems have the whole path")
  func imports() {
    for (path, text) in [
      ("$.results", page),
      ("data.items", "{\"a\":[1],\"data\":{\"items\":[{\"id\":5},{\"id\":3}]}}"),
      ("[1]", "[0,[{\"id\":5},{\"id\":3}]]"),
    ] {
      let (database, report) = importing([text], options(path))
      expectTrue(problems(report).isEmpty)
      expectEqual(database?.result.flatMap(\.keys).map(\.text), ["5", "3"])
    }
    let lines = importing(
      ["{\"x\":[{\"id\":5}]}\n{\"x\":{\"id\":3}}"], options("$.x", .ndjson)
    ).database
    expectEqual(lines?.result.flatMap(\.keys).map(\.text), ["5", "3"])
    expectEqual(
      problems(importing([#"{"results":[{"id":5},{"no":1}]}"#], options("$.results")).report),
      [
        "in.json: $.results[1]: error: missingID: this record of posts has no \"id\""
      ])
    expectEqual(
      problems(importing([page + "]"], options("$.results")).report).map {
        $0.contains("malformed")
      }, [true])
  }

  @Test("a path that leads nowhere is a problem")
  func missing() {
    expectEqual(
      problems(importing([page], options("$.result")).report),
      [
        "in.json: $: error: typeMismatch: there are no records at $.result: there is no "
          + "member \"result\"; did you mean \"results\"?"
      ])
    expectNil(importing([page], options("$.count.x")).database)
    expectNil(importing([page], options("$.results[9]")).database)
  }

  @Test("the message names the only array of objects in a root object")
  func hints() {
    let hint =
      "the only array of objects is $.results; if it holds the records, add --at '$.results'"
    var options = options("$")
    options.at = nil
    let nested = importing([page], options).report
    expectTrue(nested.problems.contains { $0.message == hint })
    let unclear = importing([page], ImportOptions()).report
    expectTrue(unclear.problems.count == 1 && unclear.problems[0].message.hasSuffix(hint))
  }

  @Test("an array of objects is found inside objects, and not where there are several")
  func searched() {
    for (text, path) in [
      (#"{"data":{"page":{"items":[{"id":1}]},"n":[1]}}"#, "$.data.page.items"),
      (#"{"a":{"b":{}},"list":[{"x":[{}]}]}"#, "$.list"), (#"{"a":[{}],"b":{"c":[{}]}}"#, nil),
      ("[{}]", nil), ("{}", nil), (#"{"a":{"b":[{"#, "$.a.b"),
    ] as [(String, String?)] {
      expectEqual(
        ImportSource(name: "in.json", bytes: Array(text.utf8))
          .pathToRecords()?.description, path, "\(text)")
    }
  }

  @Test("the value at the path may have any shape")
  func shapes() throws {
    let keyed = importing([#"{"r":{"1":{"id":"1"},"2":{"id":"2"}}}"#], options("$.r"))
    expectTrue(problems(keyed.report) == [] && keyed.report.files.map(\.format) == [.keyed])
    var options = options("$.rows")
    options.root = nil
    options.schema = nil
    for (text, format) in [
      (#"{"rows":{"posts":[{"id":1}],"tags":{}}}"#, ImportFormat.tables),
      (#"{"rows":[{"model":"a.posts","pk":1,"fields":{}}]}"#, .django),
      (#"{"rows":{"data":[{"type":"posts","id":"1"}]}}"#, .jsonapi),
      (#"{"rows":{"data":{"post":{"__typename":"posts","id":1}}}}"#, .graphql),
      (
        #"{"rows":{"schema":{"entities":{"posts":{"id":"key"}}},"entities":{"posts":[{"key":1}]}}}"#,
        .tables
      ),
    ] {
      let (database, report) = importing([text], options)
      expectEqual(problems(report), [], "\(text)")
      expectEqual(report.files.map(\.format), [format], "\(text)")
      expectEqual(database?.count, 1, "\(text)")
    }
    let csv = Importer.importing(
      [ImportSource(name: "a.csv", bytes: Array("id\n1\n".utf8))], into: nil, options: options)
    expectEqual(
      csv.report.problems.map(\.message),
      [
        "--at is a path in JSON and cannot be used with csv; leave it out"
      ])
  }

  @Test("a repeated name on the path is a problem")
  func repeated() {
    for (path, text, places) in [
      (
        "$.results", #"{"results":[{"id":5}],"n":{"results":1},"results":[{"id":3}]}"#,
        ["$.results"]
      ),
      ("$.a.x", #"{"a":{"x":[{"id":5}],"x":0},"b":0,"a":{"x":1}}"#, ["$.a.x", "$.a"]),
      ("$.a[0].x", #"{"a":[{"x":[{"id":5,"x":1}],"x":0},{"x":1}]}"#, ["$.a[0].x"]),
    ] {
      for (text, format) in [(text, ImportFormat.nested), (text + "\n{}", .ndjson)] {
        let report = importing([text], options(path, format)).report
        let found = report.problems.filter { $0.kind == .duplicateKey }
        let prefix = format == .ndjson ? "$[0]" : "$"
        expectEqual(
          found.map(\.path), places.map { prefix + $0.dropFirst() }, "\(problems(report))")
      }
    }
  }
}
