import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Documents of servers without records")
struct EmptyDocumentTests {
  @Test(
    "An answer without records is a database without tables",
    arguments: [
      (#"{"data":{"items":{"edges":[],"pageInfo":{"hasNextPage":false}}}}"#, ImportFormat.graphql),
      (#"{"data":{"viewer":{"repositories":{"nodes":[],"totalCount":0}}}}"#, .graphql),
      (#"{"data":{"posts":[]}}"#, .graphql), (#"{"data":{"user":null}}"#, .graphql),
      (#"{"data":{}}"#, .graphql), (#"{"extensions":{},"data":null}"#, .graphql),
      (#"{"data":[],"included":[]}"#, .jsonapi),
      (#"{"jsonapi":{"version":"1.0"},"data":[],"meta":{"total":0}}"#, .jsonapi),
      (#"{"links":{"self":"/posts"},"data":[]}"#, .jsonapi), (#"{"data":null}"#, .jsonapi),
    ])
  func empty(document: String, format: ImportFormat) throws {
    for options in [
      ImportOptions(), ImportOptions(schema: Schema([.init("posts")]), root: "posts"),
    ] {
      let (database, report) = importing([document], options)
      expectTrue(report.files.map(\.format) == [format] && report.files.map(\.isEmpty) == [true])
      expectTrue(report.read == 0 && report.problems.isEmpty)
      try expectEqual(#require(database).count, 0)
      expectTrue(report.text().hasPrefix("in.json: \(format.rawValue), without records\n"))
    }
    expectEqual(importing([document], ImportOptions()).report.entities, [])
  }

  @Test(
    "Errors instead of data are an error with its text",
    arguments: [
      (#"{"errors":[{"message":"no access","path":["items"]}]}"#, "no access"),
      (#"{"data":null,"errors":[{"message":"a"},{"message":"b"}]}"#, "a, and 1 more"),
      (#"{"data":{"user":null},"errors":[{"message":"no access"}]}"#, "no access"),
      (#"{"errors":[{"status":"404","title":"Not found"}]}"#, "Not found"),
      (#"{"errors":[{"code":"E1","detail":"gone"}],"jsonapi":{}}"#, "gone"),
    ])
  func errors(document: String, message: String) throws {
    let (database, report) = importing([document], ImportOptions())
    expectNil(database)
    let problem = try #require(report.problems.first)
    expectTrue(report.problems.total == 1 && problem.path == "$.errors")
    expectTrue(problem.message.hasSuffix(" has errors instead of data: \(message)"))
  }

  @Test("A resource without its type is a problem and no row of data")
  func untyped() {
    let document = #"{"data":[{"id":"1","attributes":{"title":"x"}}]}"#
    let (database, report) = importing([document], ImportOptions())
    expectNil(database)
    expectEqual(
      report.problems.map(\.description),
      [
        "in.json: $.data[0]: error: missingID: this resource has no type"
      ])
  }

  @Test(
    "Objects of a configuration are no tables",
    arguments: [
      #"{"compilerOptions":{"paths":{"@a/*":["x"]}},"include":[]}"#,
      #"{"editor":{"font":{"size":3}},"files":{"exclude":{"a":true}}}"#,
      #"{"jest":{"globals":{"x":1},"env":{"y":2}}}"#,
    ])
  func configuration(document: String) {
    let (database, report) = importing([document], ImportOptions())
    expectTrue(database == nil && report.problems.map(\.kind) == [.usage])
    expectTrue(importing([document], ImportOptions(format: .tables)).database != nil)
  }

  @Test(
    "Objects by ID are tables",
    arguments: [
      #"{"posts":{"1":{"title":"a"}}}"#, #"{"posts":{"a":{"id":"a"}}}"#,
      #"{"posts":{"a":{"title":"a"},"b":{"title":"b"}}}"#, #"{"posts":[{"id":1}],"users":{}}"#,
      #"{"posts":{"3f1c2f0e-7d5b-4c55-9f43-3f0f1c2f0e7d":{"title":"a"}}}"#,
    ])
  func tables(document: String) {
    let (database, report) = importing([document], ImportOptions())
    expectTrue(database != nil && report.files.map(\.format) == [.tables])
  }

  @Test("Documents of several formats are imported together only when asked")
  func mixed() {
    let page = #"{"data":[{"type":"posts","id":"1"}]}"#
    let failure = #"{"posts":[{"id":"2"}]}"#
    var options = ImportOptions()
    let (database, report) = importing([page, failure, page], options)
    expectNil(database)
    expectEqual(
      report.problems.map(\.message),
      [
        "this looks like tables, and in0.json like jsonapi: import each format alone, or add "
          + "--format auto to recognize each file"
      ])
    options.mixesFormats = true
    expectEqual(importing([page, failure], options).database?.count, 2)
  }
}
