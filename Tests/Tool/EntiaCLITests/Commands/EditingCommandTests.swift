import EntiaTestSupport
import Foundation
import Testing

/// `entia get`, `entia delete` and `entia patch`, from the outside.
@Suite("entia get, delete and patch")
struct EditingCommandTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let blog = Repository.root.appending(path: "Fixtures/blog/expected.json")
    database = try folder.write(String(contentsOf: blog, encoding: .utf8), to: "db.json")
  }

  private func run(_ words: String...) throws -> EntiaProcess.Outcome {
    try EntiaProcess.run(words.map { $0 == "DB" ? database : $0 })
  }

  @Test("get prints the requested rows in their order")
  func get() throws {
    let two = try run("get", "DB", "comments", "c7", "c2")
    expectEqual(
      two.outputText,
      """
      [
        {"id":"c7","text":"Anonymous, but polite.","likes":1,"author":null},
        {"id":"c2","text":"Bring a hammer & a dog.","likes":12,"author":"a1"}
      ]

      """)
    let sorted = try run(
      "get", "DB", "comments", "--where", "likes > 5 and (author = 'a1' or author = \"a4\")",
      "--sort=-likes", "--limit", "2", "--format", "ndjson")
    expectEqual(
      sorted.outputText.split(separator: "\n").map { $0.prefix(11) },
      [#"{"id":"c4","#, #"{"id":"c2","#])
    let table = try run("get", "DB", "comments", "c7", "--format=table")
    expectEqual(
      table.outputText,
      """
      id  text                    likes  author
      --  ----------------------  -----  ------
      c7  Anonymous, but polite.  1

      """)
    let csv = try run(
      "get", "DB", "comments", "c7", "--format=csv", "-o", folder.path("out.csv"))
    expectTrue(csv.exitCode == 0 && csv.outputText == "")
    try expectEqual(
      folder.text(of: "out.csv"), "id,text,likes,author\r\nc7,\"Anonymous, but polite.\",1,\r\n")
  }

  @Test("get --search prints the rows that match, the best first, or sorted")
  func search() throws {
    func ids(_ words: String...) throws -> [Substring] {
      let outcome = try EntiaProcess.run(
        ["get", database, "comments", "--format", "ndjson"] + words)
      return outcome.outputText.split(separator: "\n").map { $0.dropFirst(7).prefix(2) }
    }
    try expectEqual(ids("--search", "hammer DO"), ["c2"])
    try expectEqual(ids("--search", "\"but polite\""), ["c7"])
    try expectEqual(ids("--search", "nothing"), [])
    let ranked = try ids("--search", "a")
    let sorted = try ids("--search", "a", "--sort=id")
    expectTrue(ranked.count > 1 && ranked.sorted() == sorted)
    try expectEqual(ids("--search", "a", "--where", "id = 'c7'"), ["c7"])
  }

  @Test(
    "Missing rows and files of get have their exit codes",
    arguments: [
      (["posts", "x", "p1", "y"], 65, "posts has no row \"x\", \"y\"\n"),
      (["post"], 64, "\"post\" is no entity of the database; did you mean \"posts\"?\n"),
      (
        ["posts", "--where", "titel = 1"], 64,
        "no row of posts has a member \"titel\"; did you mean \"title\"?\n"
      ),
      (["posts", "--where", "x = 1"], 64, "no row of posts has a member \"x\"\n"),
      (["posts", "--where", "title == 1"], 64, "--where: expected =, !="),
      (
        ["posts", "--sort", "-title"], 64,
        "a value that begins with a dash is written --sort=-title"
      ),
    ] as [([String], Int32, String)])
  func notFound(words: [String], exitCode: Int32, message: String) throws {
    let outcome = try EntiaProcess.run(["get", database] + words)
    expectEqual(outcome.exitCode, exitCode)
    expectEqual(outcome.outputText, "")
    let isOfFile = !message.contains("--")
    expectTrue(outcome.errorText.hasPrefix("entia get: " + (isOfFile ? "\(database): " : "")))
    expectTrue(outcome.errorText.contains(message), "\(outcome.errorText)")
  }

  @Test("get reads a database from standard input, and IDs that are negative numbers")
  func negative() throws {
    let outcome = try EntiaProcess.run(
      ["get", "-", "a", "-5"], input: Data("{\"a\":[{\"id\":-5}]}".utf8))
    expectEqual(outcome.outputText, "[\n  {\"id\":-5}\n]\n", "\(outcome.errorText)")
  }

  @Test("An object of tables becomes a database, which the report says")
  func plainTables() throws {
    let path = try folder.write(#"{"a": [{"id": 1}]}"#, to: "plain.json")
    let dry = try run("patch", path, "a", "1", #"{"n": 2}"#, "--dry-run")
    expectTrue(
      dry.outputText.hasSuffix(
        "dry run: '\(path)' was not written; it would be a database with schema and result\n"))
    let patched = try run("patch", path, "a", "1", #"{"n": 2}"#)
    expectTrue(
      patched.outputText.hasSuffix(
        "wrote '\(path)', which is now a database with schema and result\n"))
    let again = try run("delete", path, "a", "1")
    expectTrue(again.outputText.hasSuffix("wrote '\(path)'\n"))
    let into = try folder.write(#"{"a": [{"id": 1}]}"#, to: "into.json")
    let rows = try folder.write(#"{"a": [{"id": 2}]}"#, to: "rows.json")
    try expectTrue(
      run("import", rows, "--into", into).outputText
        .hasSuffix("wrote '\(into)', which is now a database with schema and result\n"))
  }

  @Test(
    "An import that changes nothing does not write its file", arguments: ["a.json", "a.sqlite"])
  func unchangedImport(name: String) throws {
    let path = folder.path(name)
    let rows = try folder.write(#"{"a": [{"id": 1, "n": 2}, {"id": 2}]}"#, to: "rows.json")
    try expectTrue(run("import", rows, "--into", path).outputText.hasSuffix("created '\(path)'\n"))
    let bytes = try Data(contentsOf: URL(filePath: path))
    let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let again = try run("import", rows, "--into", path)
    expectTrue(again.outputText.hasSuffix("'\(path)' stays as it is\n"), "\(again)")
    try expectEqual(Data(contentsOf: URL(filePath: path)), bytes)
    try expectEqual(
      FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date, date)
    let part = try folder.write(#"{"a": [{"id": 1, "m": 3}]}"#, to: "part.json")
    try expectTrue(run("import", part, "--into", path).outputText.hasSuffix("\nwrote '\(path)'\n"))
    try expectTrue(run("get", path, "a", "1").outputText.contains("\"m\":3"))
  }

  @Test("A patch is a text, a file, or standard input")
  func patchFromFile() throws {
    let path = try folder.write("{\"name\": \"Ann\"}", to: "patch.json")
    try expectTrue(
      run("patch", "DB", "authors", "a1", path, "--dry-run").outputText.contains("\"Ann\""))
    let piped = try EntiaProcess.run(
      ["patch", database, "authors", "a1", "-"], input: Data("{\"name\": \"Bea\"}".utf8))
    expectEqual(piped.exitCode, 0, "\(piped.errorText)")
    try expectTrue(run("get", "DB", "authors", "a1").outputText.contains("\"Bea\""))
    let missing = try run("patch", "DB", "authors", "a1", "missing.json")
    expectEqual(missing.exitCode, 65)
    expectEqual(
      missing.errorText, "entia patch: PATCH is neither a JSON object nor a file: 'missing.json'\n")
    try expectEqual(run("patch", "-", "authors", "a1", "-", "--dry-run").exitCode, 64)
  }

  @Test("What is no database is named as such, and not as one")
  func noDatabase() throws {
    let path = try folder.write(#"[{"id": 1}]"#, to: "posts.json")
    let outcome = try run("patch", path, "a", "1", "{}")
    expectEqual(outcome.exitCode, 65)
    expectTrue(outcome.errorText.contains("'\(path)' has to be a database, as import -o writes it"))
    let table = try folder.write("id,title\n1,a\n", to: "posts.csv")
    for arguments in [["get", table, "posts"], ["denormalize", table, "--entity", "posts"]] {
      let refused = try EntiaProcess.run(arguments)
      expectEqual(refused.exitCode, 65)
      expectTrue(
        refused.errorText.contains("'\(table)' has to be a database, as import -o writes it"))
    }
  }

  @Test("delete refuses to leave dangling references, and writes nothing")
  func dangling() throws {
    let before = try folder.text(of: "db.json")
    let outcome = try run("delete", "DB", "comments", "c2")
    expectEqual(outcome.exitCode, 65)
    expectEqual(outcome.outputText, "")
    expectEqual(
      outcome.errorText,
      """
      entia delete: \(database): "comments" of posts "p1" refers to comments "c2"
      entia delete: \(database): nothing was deleted; delete the rows that refer to them first, or \
      remove the references with --nullify

      """)
    try expectEqual(folder.text(of: "db.json"), before)
  }

  @Test("A dry run prints the plan and writes nothing; without it the plan is carried out")
  func delete() throws {
    let before = try folder.text(of: "db.json")
    let plan = """
      comments: 1 removed
        - "c7" {"id":"c7","text":"Anonymous, but polite.","likes":1,"author":null}
      posts: 1 updated
        ~ "p5"
            comments: ["c7","c11"] -> ["c11"]
      2 differences

      """
    let dry = try run("delete", "DB", "comments", "c7", "--nullify", "--dry-run")
    expectEqual(dry.exitCode, 0)
    expectEqual(dry.outputText, plan + "dry run: '\(database)' was not written\n")
    try expectEqual(folder.text(of: "db.json"), before)
    let outcome = try run("delete", "DB", "comments", "c7", "--nullify")
    expectEqual(outcome.exitCode, 0)
    expectEqual(outcome.outputText, plan + "wrote '\(database)'\n")
    try expectEqual(run("verify", "DB").exitCode, 0)
    try expectEqual(run("get", "DB", "comments", "c7").exitCode, 65)
    try expectEqual(folder.names(), ["db.json"])
  }

  @Test("A row without references to it is deleted, from the result too; an unknown one is 65")
  func deletePost() throws {
    try expectEqual(run("delete", "DB", "posts", "p1", "p3").exitCode, 0)
    try expectFalse(folder.text(of: "db.json").contains("\"p1\""))
    let unknown = try run("delete", "DB", "posts", "p2", "p1")
    expectEqual(unknown.exitCode, 65)
    expectEqual(unknown.errorText, "entia delete: \(database): posts has no row \"p1\"\n")
    try expectTrue(folder.text(of: "db.json").contains("\"p2\""))
  }

  @Test("patch merges members, prints what changed and writes the database back")
  func patch() throws {
    let patch = "{\"name\": \"Mary\", \"born\": null}"
    let dry = try run("patch", "DB", "authors", "a1", patch, "--dry-run")
    expectTrue(dry.outputText.hasSuffix("dry run: '\(database)' was not written\n"))
    let outcome = try run("patch", "DB", "authors", "a1", patch)
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    expectTrue(outcome.outputText.contains("name: \"Mary Anning\" -> \"Mary\""))
    expectTrue(outcome.outputText.hasSuffix("wrote '\(database)'\n"))
    try expectFalse(run("get", "DB", "authors", "a1").outputText.contains("born"))
    let again = try run("patch", "DB", "authors", "a1", patch)
    expectEqual(again.outputText, "no differences\n'\(database)' stays as it is\n")
  }

  @Test("An invalid patch, or one with a dangling reference, is 65 with its path")
  func badPatch() throws {
    let before = try folder.text(of: "db.json")
    for (patch, message) in [
      ("{\"author\": \"a9\"}", "the patch: $.author: "),
      ("{", "the patch: $"),
      ("{\"id\": \"p9\"}", "the patch: $.id: \"id\" is the ID of posts \"p1\" and cannot"),
    ] {
      let outcome = try run("patch", "DB", "posts", "p1", patch)
      expectEqual(outcome.exitCode, 65)
      expectTrue(
        outcome.errorText.hasPrefix("entia patch: \(database): " + message),
        "\(outcome.errorText)")
    }
    let missing = try run("patch", "DB", "posts", "p9", "{}")
    expectEqual(missing.exitCode, 65)
    expectEqual(missing.errorText, "entia patch: \(database): posts has no row \"p9\"\n")
    try expectEqual(folder.text(of: "db.json"), before)
  }

  @Test("Standard input cannot be changed, but a dry run shows the plan")
  func standardInput() throws {
    let input = Data("{\"a\":[{\"id\":1}]}".utf8)
    let outcome = try EntiaProcess.run(["delete", "-", "a", "1"], input: input)
    expectEqual(outcome.exitCode, 64)
    expectTrue(outcome.errorText.contains("standard input cannot be written back"))
    let dry = try EntiaProcess.run(["delete", "-", "a", "1", "--dry-run"], input: input)
    expectEqual(dry.exitCode, 0)
    expectTrue(dry.outputText.hasPrefix("a: 1 removed\n"))
  }

  @Test("A compressed database is not written back, and stays as it is")
  func compressed() throws {
    try expectEqual(EntiaProcess.shell("gzip db.json", in: folder).exitCode, 0)
    let name = folder.path("db.json.gz")
    let before = try Data(contentsOf: URL(filePath: name))
    let input = try folder.write("{\"authors\":[{\"id\":\"z\"}]}", to: "in.json")
    for words in [
      ["patch", name, "authors", "a1", "{\"name\": \"x\"}"],
      ["delete", name, "posts", "p1"], ["import", input, "--into", name],
    ] {
      let outcome = try EntiaProcess.run(words)
      expectEqual(outcome.exitCode, 65)
      expectEqual(
        outcome.errorText,
        "entia \(words[0]): '\(name)' is compressed with gzip and cannot be "
          + "written back; decompress it with 'gunzip' first\n")
      expectEqual(outcome.outputText, "")
      try expectEqual(Data(contentsOf: URL(filePath: name)), before)
      try expectEqual(folder.names(), ["db.json.gz", "in.json"])
      try expectEqual(EntiaProcess.run(words + ["--dry-run"]).exitCode, 0)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link.json"), withDestinationPath: "db.json.gz")
      let link = words.map { $0 == name ? folder.path("link.json") : $0 }
      try expectEqual(EntiaProcess.run(link).exitCode, 65)
      try FileManager.default.removeItem(atPath: folder.path("link.json"))
    }
  }

  @Test("An object in the place of a reference in a patch is 65, and no row is added")
  func otherRow() throws {
    let before = try folder.text(of: "db.json")
    let outcome = try run("patch", "DB", "posts", "p1", "{\"author\": {\"id\": \"a9\"}}")
    expectEqual(outcome.exitCode, 65)
    expectTrue(outcome.errorText.hasPrefix("entia patch: \(database): the patch: $.author: "))
    try expectEqual(folder.text(of: "db.json"), before)
  }

  @Test("Processes that patch one database at a time lose nothing")
  func concurrent() throws {
    let running = try (0..<6).map { index in
      try EntiaProcess.start(["patch", database, "authors", "a1", "{\"n\(index)\": \(index)}"])
    }
    for process in running { try expectEqual(process.outcome().exitCode, 0) }
    let row = try run("get", "DB", "authors", "a1").outputText
    for index in 0..<6 { expectTrue(row.contains("\"n\(index)\":\(index)")) }
  }

  @Test("CSV is imported without a schema, and what get writes imports again")
  func csv() throws {
    _ = try folder.write("id,name,born\n1,Ann,1990\n2,\"B, Bob\",\n", to: "people.csv")
    let into = folder.path("people.json")
    let outcome = try EntiaProcess.run(["import", folder.path("people.csv"), "--into", into])
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)\(outcome.outputText)")
    expectTrue(outcome.outputText.contains("people.csv: csv\n"))
    let rows = try EntiaProcess.run(["get", into, "people", "--format", "ndjson"])
    expectTrue(rows.outputText.contains("\"name\":\"B, Bob\""))
    let csv = try EntiaProcess.run(["get", into, "people", "--format", "csv"])
    let again = try EntiaProcess.run(
      ["import", "-", "--format", "csv", "--root", "people", "--into", into, "--dry-run"],
      input: csv.output)
    expectTrue(again.outputText.contains("read 2: 0 inserted, 0 updated, 2 unchanged"))
    _ = try folder.write("id,name\n1,\"x\n", to: "bad.csv")
    let bad = try EntiaProcess.run(["import", folder.path("bad.csv")])
    expectEqual(bad.exitCode, 65)
    expectTrue((bad.outputText + bad.errorText).contains("malformedCSV"), "\(bad.outputText)")
  }

  @Test("A schema is guessed from CSV, and compressed files are known by their names")
  func inferred() throws {
    _ = try folder.write("id,name\n1,Ann\n2,Bob\n3,Cy\n", to: "people.csv")
    _ = try folder.write("id,author\np1,1\np2,2\np3,1\n", to: "posts.csv")
    let schema = try EntiaProcess.shell(
      "entia schema people.csv posts.csv -o s.json && gzip people.csv posts.csv "
        + "&& entia import people.csv.gz posts.csv.gz --schema s.json -o out.json "
        + "&& entia verify out.json", in: folder)
    expectEqual(schema.exitCode, 0, "\(schema.errorText)")
    try expectTrue(folder.text(of: "s.json").contains("\"people\""), "\(schema.errorText)")
    expectTrue(schema.outputText.contains("people.csv.gz: csv\nposts.csv.gz: csv\n"))
    expectTrue(schema.outputText.contains("out.json: 6 rows in 2 entities, no problems\n"))
    let bad = try EntiaProcess.shell(
      "printf 'a,b\\n1\\n' > bad.csv; entia schema bad.csv", in: folder)
    expectEqual(bad.exitCode, 65)
    expectTrue(bad.errorText.contains("malformedCSV: line 2: 1 field, where the header has 2"))
  }
}
