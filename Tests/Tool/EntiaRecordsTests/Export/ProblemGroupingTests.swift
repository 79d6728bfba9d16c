import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Problems grouped by cause")
struct ProblemGroupingTests {
  private func text(
    _ texts: [String],
    _ options: ImportOptions = ImportOptions(format: .nested, schema: blogSchema, root: "posts"),
    maximum: Int = ImportProblems.maximumListed
  ) -> String {
    ImportProblems(importing(texts, options).report.problems).text(maximum: maximum)
  }

  @Test("a group begins with its count and cause, and suggests the member that is the ID")
  func missingIDs() {
    let countries = (0..<4).map { #"{"name":"N","alpha_2":"A\#($0)","alpha_3":"B\#($0)"}"# }
    let options = ImportOptions(
      format: .nested, schema: Schema([Schema.Entity("3166-1")]), root: "3166-1")
    expectEqual(
      text(["[\(countries.joined(separator: ","))]"], options),
      """
      error: 4 × missingID in 3166-1: no "id"; set "id": "alpha_2"? (every record has it, all \
      differ)
        in.json: $[0]
        in.json: $[1]
        in.json: $[2]
        in.json: $[3]

      """)
  }

  @Test(
    "a member is proposed only if every record has it, no value comes twice, and no record has an ID",
    arguments: [
      (#"[{"a":1,"b":"x"},{"a":1,"b":"y"}]"#, "b"), (#"[{"a":1},{"b":1}]"#, nil),
      (#"[{"a":1},{"a":1}]"#, nil), (#"[{"a":1.5},{"a":2.5}]"#, nil),
      (#"[{"a":[1]},{"a":[2]}]"#, nil),
      (#"[{"a":1}]"#, nil), (#"[{"a":1},{"a":2},{"id":3,"a":3}]"#, nil),
      (#"[{"name":"x","isbn":"1"},{"name":"y","isbn":"2"}]"#, "isbn"),
      (#"[{"a":"\u0041"},{"a":"\u0042"}]"#, "a"), (#"[{"a":-1},{"a":1}]"#, "a"),
    ] as [(String, String?)])
  func proposals(text: String, member: String?) {
    let report = importing([text]).report
    let missing = report.problems.filter { $0.kind == .missingID }
    expectFalse(missing.isEmpty)
    for problem in missing {
      let proposal =
        member.map { "; set \"id\": \"\($0)\"? (every record has it, all differ)" } ?? ""
      expectEqual(problem.message, "this record of posts has no \"id\"" + proposal)
      expectEqual(problem.cause.message, "no \"id\"" + proposal)
    }
  }

  @Test("errors precede warnings, and a single problem is one line")
  func order() {
    let posts = #"[{"id":1,"author":"a1"},{"id":2,"author":"a2"},{"id":2,"author":"a1"},{"id":[]}]"#
    expectEqual(
      text([posts]),
      """
      in.json: $[2]: error: conflict: posts 2 differs in "author" ("a1" here, "a2" there) from the \
      one in in.json: $[1]
      in.json: $[3]: error: missingID: the "id" of this record of posts is an array; an ID is a \
      number or a string
      warning: 2 × danglingReference in posts: "author" refers to rows of authors that do not exist
        in.json: $[0].author: "author" of posts 1 refers to authors "a1", which does not exist
        in.json: $[1].author: "author" of posts 2 refers to authors "a2", which does not exist

      """)
  }

  @Test("of each kind a limited number is listed, rare causes first, and the rest is counted")
  func limits() {
    let posts =
      (0..<9).map { "{\"id\":\($0),\"author\":\"a\($0)\"}" } + ["{}", "{}", "{\"id\":null}"]
    let text = "[\(posts.joined(separator: ","))]"
    expectEqual(
      self.text([text], maximum: 3),
      """
      error: 2 × missingID in posts: no "id"
        in.json: $[9]
        in.json: $[10]
      in.json: $[11]: error: missingID: the "id" of this record of posts is null
      warning: 9 × danglingReference in posts: "author" refers to rows of authors that do not exist
        in.json: $[0].author: "author" of posts 0 refers to authors "a0", which does not exist
        in.json: $[1].author: "author" of posts 1 refers to authors "a1", which does not exist
        in.json: $[2].author: "author" of posts 2 refers to authors "a2", which does not exist
        … and 6 more

      """)
    expectEqual(
      self.text([text], maximum: 1),
      """
      error: 2 × missingID in posts: no "id"
      in.json: $[11]: error: missingID: the "id" of this record of posts is null
      warning: 9 × danglingReference in posts: "author" refers to rows of authors that do not exist
        in.json: $[0].author: "author" of posts 0 refers to authors "a0", which does not exist
        … and 8 more

      """)
    expectEqual(
      self.text([text], maximum: 0),
      """
      error: 2 × missingID in posts: no "id"
      error: 1 × missingID in posts: "id" is null
      warning: 9 × danglingReference in posts: "author" refers to rows of authors that do not exist

      """)
    expectEqual(ImportProblems([]).text(), "")
    let causes = (0..<30).map {
      ImportProblem(file: "a", path: "$", kind: .unknownEntity, message: "cause \($0)")
    }
    let few = ImportProblems(causes + causes).text(maximum: 1).split(separator: "\n")
    expectEqual(few.count, 23)
    expectEqual(few.prefix(3), ["error: 2 × unknownEntity: cause 0", "  a: $", "  … and 1 more"])
    expectEqual(few.last, "error: 20 × unknownEntity of 10 other causes")
  }

  @Test("the count of a cause includes problems that are not listed")
  func counted() {
    func problem(_ cause: String, more: Int) -> ImportProblem {
      ImportProblem(file: "a", path: "$", kind: .unknownEntity, message: cause, more: more)
    }
    let many = problem("many", more: 7)
    expectEqual(
      ImportProblems([many]).text(),
      """
      error: 8 × unknownEntity: many
        a: $
        … and 7 more

      """)
    expectEqual(ImportProblems([many]).text(maximum: 0), "error: 8 × unknownEntity: many\n")
    // The causes are in their order, and the rare one is listed first.
    expectEqual(
      ImportProblems([many, problem("rare", more: 0)]).text(maximum: 1),
      """
      error: 8 × unknownEntity: many
      a: $: error: unknownEntity: rare

      """)
    let causes = (0..<30).map { problem("cause \($0)", more: 2) }
    expectTrue(
      ImportProblems(causes).text(maximum: 1).hasSuffix(
        "error: 30 × unknownEntity of 10 other causes\n"))
  }

  @Test("problems of lines have line numbers that count blank lines, also for a second position")
  func lines() {
    let text = "{\"id\":1,\"a\":1}\n\n{\"id\":1,\"a\":2}\n{}\n\n{}\n"
    let report = importing(
      [text], ImportOptions(format: .ndjson, schema: blogSchema, root: "posts")
    ).report
    expectEqual(report.problems.map(\.line), [3, 4, 6])
    expectEqual(
      ImportProblems(report.problems).text(),
      """
      in.json:3: $[1]: error: conflict: posts 1 differs in "a" (2 here, 1 there) from the one in \
      in.json:1: $[0]
      error: 2 × missingID in posts: no "id"
        in.json:4: $[2]
        in.json:6: $[3]

      """)
    expectTrue(
      String(decoding: report.json(), as: UTF8.self).contains(#""file":"in.json","line":3,"#))
  }

  @Test("a conflict shows the values, truncated if they are long or many")
  func conflicts() {
    let long = String(repeating: "x", count: 1000)
    let names = (0..<7).map { "m\($0)" }
    func record(_ value: String) -> String {
      "{\"id\":1,\(names.map { "\"\($0)\":\(value)" }.joined(separator: ","))}"
    }
    let many = importing(["[\(record("1")),\(record("\"\(long)\""))]"]).report.problems
    expectEqual(many.count, 1)
    expectTrue(many[0].message.contains("\"m4\" (\"xxxx"))
    expectTrue(many[0].message.contains("1 there) and 2 more from the one in in.json: $[0]"))
    #expect(many[0].message.utf8.count < 700)
    let lists = [Array(1...9), Array(2...10)].map {
      "{\"id\":1,\"comments\":[\($0.map(String.init).joined(separator: ","))]}"
    }
    let references = importing(["[\(lists.joined(separator: ","))]"]).report.problems
    expectEqual(
      references.first { $0.kind == .conflict }?.message.contains(
        "([2,3,4,5,6,…] here, [1,2,3,4,5,…] there)"), true)
  }
}
