import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Comma-separated values")
struct CSVTests {
  private func records(_ text: String) throws -> [[String]] {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = CSVReader(ByteWindow(bytes))
      var fields: [CSVReader.Field] = []
      var records: [[String]] = []
      while try reader.next(&fields) {
        records.append(fields.map { $0.isEmpty ? "-" : $0.text })
      }
      return records
    }
  }

  @Test(
    "The separator is that of the first line, unless one is given",
    arguments: [
      ("a;b\n1,5;2\n", nil, [["a", "b"], ["1,5", "2"]]),
      ("a\tb\n1;5\t2\n", nil, [["a", "b"], ["1;5", "2"]]),
      ("a|b\n1|2", nil, [["a", "b"], ["1", "2"]]),
      ("\"x,y\";b\r\n\"1;\";2\r\n", nil, [["x,y", "b"], ["1;", "2"]]),
      ("a,b;c\n1,2\n", nil, [["a", "b;c"], ["1", "2"]]),
      ("a,b;c\n1,2;3\n", ";", [["a,b", "c"], ["1,2", "3"]]),
      ("a\n1;2\n", nil, [["a"], ["1;2"]]),
    ] as [(String, Character?, [[String]])])
  func separators(text: String, separator: Character?, expected: [[String]]) throws {
    let records = try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = CSVReader(ByteWindow(bytes), separator: separator?.asciiValue)
      var fields: [CSVReader.Field] = []
      var records: [[String]] = []
      while try reader.next(&fields) { records.append(fields.map(\.text)) }
      return records
    }
    expectEqual(records, expected)
  }

  @Test(
    "Records are read as in RFC 4180",
    arguments: [
      ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
      ("a,,c\n", [["a", "-", "c"]]), ("a,\n", [["a", "-"]]),
      ("\"a,b\",\"c\"\"d\"", [["a,b", "c\"d"]]),
      ("\"a\r\nb\",c", [["a\r\nb", "c"]]), ("\"\",x", [["", "x"]]),
      ("\u{FEFF}a\n1", [["a"], ["1"]]),
      ("a\n\n\r\nb\n", [["a"], ["b"]]), ("5\" disk,x", [["5\" disk", "x"]]),
      ("a\rb,c\n", [["a\rb", "c"]]), ("", []), ("é,日本", [["é", "日本"]]),
    ] as [(String, [[String]])])
  func reading(text: String, expected: [[String]]) throws {
    try expectEqual(records(text), expected)
  }

  @Test(
    "Invalid CSV is reported with its line",
    arguments: [
      ("a\n\"b", "the quote that a field begins with is not closed", 2),
      (
        "a\n\"b\"c",
        "a comma or the end of the line is expected after a closing quote; a quote "
          + "inside a field is written twice", 2
      ),
    ])
  func malformed(text: String, message: String, line: Int) {
    #expect(throws: CSVReader.Failure(message: message, line: line)) { try records(text) }
  }

  @Test("Written CSV is read with the same fields", arguments: 0..<50)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", ",", "\"", "\n", "\r", "\r\n", " ", "é", ""]
    for _ in 0..<50 {
      let count = Int.random(in: 1...4, using: &random)
      let rows = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (0..<count).map { _ -> String? in
          guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
          return (0..<Int.random(in: 0...3, using: &random))
            .map { _ in letters.randomElement(using: &random) ?? "" }.joined()
        }
      }
      // A line with nothing on it is no record.
      if count == 1, rows.contains([nil]) { continue }
      var writer = PieceWriter()
      for row in rows { writer.append(csv: row) }
      let text = String(decoding: writer.bytes, as: UTF8.self)
      try expectEqual(records(text), rows.map { $0.map { $0 ?? "-" } }, "seed \(seed): \(text)")
    }
  }

  private func imported(
    _ files: [(String, String)], into base: RecordDatabase? = nil,
    _ options: ImportOptions = ImportOptions()
  ) -> (database: RecordDatabase?, report: ImportReport) {
    let sources = files.map { ImportSource(name: $0.0, bytes: Array($0.1.utf8)) }
    return Importer.importing(sources, into: base, options: options)
  }

  private func rows(_ database: RecordDatabase?, _ entity: String) throws -> String {
    let database = try #require(database)
    var text = ""
    database.write(
      try database.rows(RecordSelection(of: entity)), of: entity, as: .ndjson
    ) { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  @Test(
    "A file is the entity of its name; each column has one type, and an empty field is no member")
  func types() throws {
    let (database, report) = imported([
      (
        "data/people.csv",
        "id,n,zip,b,mixed,list,odd\n1,1.50,01234,true,1,\"[1, 2]\",\"[1\"\n2,,99999,false,x,,\"\"\n"
      )
    ])
    expectEqual(problems(report), [])
    expectEqual(report.files.map(\.format), [.csv])
    try expectEqual(
      rows(database, "people").split(separator: "\n").map { Set($0.dropFirst().dropLast()) },
      [
        #""id":1,"b":true,"list":[1,2],"mixed":"1","n":1.50,"odd":"[1","zip":"01234""#,
        #""id":2,"b":false,"mixed":"x","odd":"","zip":"99999""#,
      ].map(Set.init))
    expectEqual(database?.result.map(\.entity), ["people"])
  }

  private let schema = Schema([
    Schema.Entity("people"), Schema.Entity("tags"),
    Schema.Entity(
      "posts",
      relationships: [
        Schema.Relationship("author", to: "people"),
        Schema.Relationship("tags", to: "tags", isMany: true),
      ]),
  ])

  @Test("The types of IDs and of references to them agree across all files")
  func references() throws {
    for (last, author) in [("3", "1"), ("x", "\"1\"")] {
      let (database, report) = imported(
        [
          ("posts.csv", "id,author,tags\np1,1,\"[7]\"\np2,,\n"),
          ("people.csv", "id,name\n1,Ann\n2,Bob\n\(last),Cy\n"), ("tags.csv", "id\n7\n"),
        ], ImportOptions(schema: schema))
      expectEqual(problems(report), [])
      try expectTrue(rows(database, "posts").contains("\"author\":\(author)"))
      // Later files have the types that the database has.
      let (more, later) = imported(
        [("people.csv", "id,name\n4,Di\n"), ("posts.csv", "id,author\np3,4\n")], into: database)
      expectEqual(problems(later), [])
      try expectTrue(rows(more, "people").contains(author == "1" ? "\"id\":4" : "\"id\":\"4\""))
    }
  }

  @Test("The parts of composite IDs have one type in all files and in the database")
  func partsOfIDs() throws {
    let options = ImportOptions(
      schema: Schema([Schema.Entity("lines", idNames: ["o", "n"])]), root: "lines")
    for (last, number) in [("9", "2"), ("x", "\"2\"")] {
      let (database, report) = imported(
        [("a.csv", "o,n\n1,1\n1,2\n"), ("b.csv", "o,n,v\n1,2,new\n3,\(last),y\n")], options)
      expectEqual(problems(report), [])
      let lines = try rows(database, "lines")
      expectTrue(lines.contains("{\"o\":1,\"n\":\(number),\"v\":\"new\"}"), "\(lines)")
      let (more, later) = imported([("c.csv", "o,n,v\n1,2,new\n")], into: database, options)
      expectEqual(problems(later), [])
      try expectEqual(rows(more, "lines"), lines)
    }
  }

  @Test("A part of a composite ID that is a reference has the type of the IDs to which it refers")
  func partsThatAreReferences() throws {
    let schema = Schema([
      Schema.Entity("students"),
      Schema.Entity(
        "entries", idNames: ["student", "course"],
        relationships: [Schema.Relationship("student", to: "students")]),
    ])
    let options = ImportOptions(schema: schema, strict: true)
    let students = ("students.csv", "id\n1\n2\nx3\n")
    let entries = ("entries.csv", "student,course\n1,5\n2,5\n")
    let (database, report) = imported([students, entries], options)
    expectEqual(problems(report), [])
    try expectTrue(rows(database, "entries").contains("{\"student\":\"1\",\"course\":5}"))
    let later = imported([entries], into: imported([students], options).database, options)
    expectEqual(problems(later.report), [])
    try expectEqual(rows(later.database, "entries"), rows(database, "entries"))
  }

  @Test("A column of references without any value is missing, even if its fields are quoted")
  func emptyReferences() throws {
    let options = ImportOptions(schema: schema)
    let (database, report) = imported([("people.csv", "id,name\n1,Ann\n")], options)
    expectEqual(problems(report), [])
    let later = imported(
      [("posts.csv", "id,author,tags\np1,\"\",\"\"\np2,\"\",\n")], into: database, options)
    expectEqual(problems(later.report), [])
    try expectEqual(rows(later.database, "posts"), "{\"id\":\"p1\"}\n{\"id\":\"p2\"}\n")
  }

  @Test("A column of numbers is text if another file has text there, or the database only text")
  func mixedColumns() throws {
    let options = ImportOptions(root: "places")
    let (database, report) = imported(
      [("b.csv", "id,zip,n\n2,12345,2\n"), ("a.csv", "id,zip,n\n1,00123,1\n")], options)
    expectEqual(problems(report), [])
    let places = try rows(database, "places")
    expectTrue(places.contains("{\"id\":1,\"zip\":\"00123\",\"n\":1}"), "\(places)")
    expectTrue(places.contains("{\"id\":2,\"zip\":\"12345\",\"n\":2}"), "\(places)")
    let (same, later) = imported([("c.csv", "id,zip,n\n2,12345,2\n")], into: database, options)
    expectEqual(problems(later), [])
    try expectEqual(rows(same, "places"), places)
  }

  @Test("Problems of a file have lines, problems of records have paths")
  func refused() {
    let ragged = imported([("a.csv", "id,b\n1,2\n3\n\n4,5,6\n")])
    expectEqual(
      problems(ragged.report),
      [
        "a.csv: $: error: malformedCSV: line 3: 1 field, where the header has 2",
        "a.csv: $: error: malformedCSV: line 5: 3 fields, where the header has 2",
      ])
    let header = imported([("a.csv", "id,,id\n")])
    expectEqual(
      problems(header.report),
      [
        "a.csv: $: error: malformedCSV: line 1: column 2 of the header has no name",
        "a.csv: $: error: malformedCSV: line 1: two columns are named \"id\"",
      ])
    for text in ["", "\n\n", "\u{FEFF}"] {
      expectEqual(
        problems(imported([("a.csv", text)]).report).map { $0.split(separator: ";").first },
        ["a.csv: $: error: malformedCSV: line \(text == "\n\n" ? 3 : 1): the text is empty"])
      let guessed = SchemaInference.inferring(
        from: [ImportSource(name: "a.csv", bytes: Array(text.utf8))], root: nil)
      guard case .failure(let failure) = guessed else { return expectTrue(false) }
      expectEqual(failure.problems.map(\.kind), [.malformedCSV])
    }
    let old = imported([("a.csv", "id,b\r1,2\r")])
    expectEqual(
      problems(old.report),
      [
        "a.csv: $: error: malformedCSV: line 1: the header has a carriage return that ends no line; "
          + "a line ends with a line feed, or with both"
      ])
    expectEqual(problems(imported([("a.csv", "id,\"b\rc\"\n1,2\n")]).report), [])
    let missing = imported([("a.csv", "id,b\n1,2\n,3\n")])
    expectEqual(
      problems(missing.report).first?.hasPrefix("a.csv: $[1]: error: missingID: "), true,
      "\(problems(missing.report))")
    expectNil(missing.database)
  }

  @Test("Rows that are written as CSV import to the same rows", arguments: 0..<30)
  func law(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = ["", "a", "a,b", "\"", "x\ny", "é", "-", "1 2"]
    let people = (0..<3).map { "{\"id\": \($0)}" }.joined(separator: ",")
    let posts = (0..<5).map { index -> String in
      var members = ["\"id\": \"p\(index)\""]
      if Bool.random(using: &random) {
        members.append("\"author\": \(Int.random(in: 0..<3, using: &random))")
      }
      if Bool.random(using: &random) {
        members.append("\"n\": \(Int.random(in: 0..<9, using: &random)).0")
      }
      if Bool.random(using: &random) { members.append("\"b\": \(Bool.random(using: &random))") }
      let text = JSONText(.string(texts.randomElement(using: &random) ?? ""))
      if Bool.random(using: &random) { members.append("\"t\": \(text)") }
      if Bool.random(using: &random) { members.append("\"o\": {\"k\": [\(text), null]}") }
      return "{" + members.joined(separator: ",") + "}"
    }
    let (old, report) = imported(
      [
        (
          "in.json",
          "{\"people\": [\(people)], \"tags\": [], \"posts\": [\(posts.joined(separator: ","))]}"
        )
      ],
      ImportOptions(schema: schema))
    let database = try #require(old, "\(problems(report))")
    var files: [(String, String)] = []
    for entity in ["people", "posts"] {
      var text = ""
      database.write(
        try database.rows(RecordSelection(of: entity)), of: entity, as: .csv
      ) { text += String(decoding: $0, as: UTF8.self) }
      files.append(("\(entity).csv", text))
    }
    let (new, again) = imported(files, ImportOptions(schema: schema))
    expectEqual(problems(again), [], "seed \(seed)")
    for entity in ["people", "posts"] {
      // The columns have one order.
      let (written, read) = (try rows(database, entity), try rows(new, entity))
      expectEqual(
        read.split(separator: "\n").map { canonical(String($0)) },
        written.split(separator: "\n").map { canonical(String($0)) }, "seed \(seed)")
    }
    let (same, unchanged) = imported(files, into: database)
    expectEqual(unchanged.unchanged, unchanged.read, "seed \(seed)")
    expectEqual(same?.table, database.table)
  }

  @Test("A header of very many columns is read in linear time with a limited number of problems")
  func wide() {
    let names = (0..<100_000).map(String.init).joined(separator: ",")
    let bytes = Array("\(names)\n".utf8)
    let table = bytes.withUnsafeBufferPointer { CSVTable(ByteWindow($0)) }
    expectTrue(table.problems.isEmpty && table.columns.count == 100_000)
    for text in [String(repeating: ",", count: 5000), String(repeating: "a,", count: 5000)] {
      expectEqual(imported([("a.csv", text + "\n")]).report.problems.count, 100)
    }
  }

  @Test("An invalid CSV file does not cause problems of dangling references")
  func brokenTarget() {
    let (_, report) = imported(
      [("posts.csv", "id,author\n1,2\n"), ("people.csv", "id,name\n2\n")],
      ImportOptions(schema: schema))
    expectEqual(report.problems.map(\.kind), [.malformedCSV], "\(problems(report))")
  }

  @Test("An empty text is kept in a column of texts, and counted as ignored in any other")
  func emptyTexts() throws {
    let (database, report) = imported([
      ("a.csv", "id,n,t,b\n1,5,x,true\n2,\"\",\"\",\"\"\n3,,,\"\"\n")
    ])
    expectEqual(problems(report), [])
    try expectEqual(
      rows(database, "a").split(separator: "\n").map(String.init),
      [#"{"id":1,"n":5,"t":"x","b":true}"#, #"{"id":2,"t":""}"#, #"{"id":3}"#])
    expectEqual(
      report.ignored.map { "\($0.count) \($0.name)" },
      ["2 empty text in \"b\"", "1 empty text in \"n\""])
  }
}
