import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Guessing IDs")
struct IDInferenceTests {
  @Test("Objects whose ID is unique only within their record are not entities")
  func localIDs() throws {
    let inference = try guess(
      """
      [{"id": "o1", "lines": [{"id": 1, "sum": 5}, {"id": 2, "sum": 6}]},
       {"id": "o2", "lines": [{"id": 1, "sum": 7}]}]
      """, name: "orders.json")
    expectEqual(inference.summary, "orders(id)")
    expectEqual(
      inference.line(about: "orders.lines"),
      "orders.lines: kept whole "
        + "(likely: records of one \"id\" differ, so that it is no ID)")
  }

  @Test(
    "Members that are only sometimes objects are not references",
    arguments: [
      (#"{"id": 2, "a": true}"#, "it holds other values beside objects"),
      (#"{"id": 2, "a": [{"id": 6}]}"#, "it is a list at times, and one at others"),
      (#"{"id": 2, "a": {"name": 7}}"#, "no member is an ID in each of 2 objects"),
    ])
  func mixtures(row: String, reason: String) throws {
    let inference = try guess("[{\"id\": 1, \"a\": {\"id\": 5}}, \(row)]")
    expectEqual(inference.summary, "items(id)")
    expectEqual(inference.line(about: "items.a"), "items.a: kept whole (likely: \(reason))")
  }

  @Test("IDs of other names: unique at the top level, and repeated in nested records")
  func otherIDs() throws {
    let inference = try guess(
      """
      [{"number": 10, "product": {"sku": "tea", "price": 3.10}, "rate": {"code": "A", "value": 1}},
       {"number": 11, "product": {"sku": "tea", "price": 3.10}, "rate": {"code": "B", "value": 2}}]
      """, name: "orders.json")
    expectEqual(inference.summary, "orders(number) product->products; products(sku)")
    expectEqual(
      inference.line(about: "products"),
      "products: an entity, ID in \"sku\" (likely: 2 records, 1 ID, records of one ID agree)")
    let unnamed = try guess(#"[{"iata": "LHR", "hot": true}, {"iata": "JFK"}]"#)
    expectEqual(unnamed.summary, "items(iata)")
  }

  @Test("Records without an ID at the top level are reported as a need of the import")
  func noID() throws {
    let inference = try #require(inferring([("a.json", #"[{"x": 1.5}, {"x": 1.5}]"#)]))
    expectEqual(
      inference.line(about: "a"),
      "a: an entity, ID in \"id\" "
        + "(unsure: no member is an ID in each of 2 records; import needs one)")
  }

  @Test("Entities some of whose records have no ID are listed with the reason")
  func withoutIDs() throws {
    for (text, reason) in [
      (#"[{"x": 1.5}]"#, "no member is an ID in its 1 record; import needs one"),
      (#"[{"id": null}]"#, "no member is an ID in its 1 record; import needs one"),
      (#"[{"id": 1}, {"x": 2}]"#, "1 of 2 records has no such ID"),
      (#"[{"id": 1}, {"x": 2}, {"x": 3}]"#, "2 of 3 records have no such ID"),
      (
        #"[{"id": 1, "x": 1}, {"id": 1, "x": 2}]"#, "1 of 2 records contradicts another of its ID"
      ),
      (
        #"[{"id": 1, "x": 1}, {"id": 1, "x": 2}, {"id": 1, "x": 3}]"#,
        "2 of 3 records contradict another of their ID"
      ),
    ] {
      let inference = try #require(inferring([("a.json", text)]))
      expectEqual(inference.withoutIDs.map(\.reason), [reason], "\(text)")
    }
    try expectTrue(guess(#"[{"id": 1}]"#).withoutIDs.isEmpty)
  }

  @Test("A schema is without a doubt about IDs if and only if an import with it is accepted")
  func agreement() throws {
    let ids = [
      "1", "2", "3", "12", "\"1\"", "\"2\"", "\"c\"", "\"c1\"", "\"12\"", "1.5", "-0", "1e3",
      "99999999999999999999", "-7", "1.0", "1000", "12e-1", "1.50", "0.0e7", "\"1.0\"",
      "1e20", "99999999999999999999.0", "\"\"", "null", "true", "[1]",
    ]
    for seed in LawRuns(count: 120).seeds {
      var random = SeededGenerator(seed: seed)
      let usual = random.oneIn(3) ? ids : Array(ids.dropLast(3))
      let rows = (0..<random.number(in: 1..<5)).map { _ in
        let id = usual[random.number(in: usual.indices)]
        return "{\"id\": \(id), \"x\": \(random.oneIn(6))}"
      }
      let text = "[\(rows.joined(separator: ", "))]"
      let inference = try #require(inferring([("items.json", text)]))
      let options = ImportOptions(schema: inference.schema, root: "items")
      let database = importing([text], options).database
      expectEqual(database != nil, inference.withoutIDs.isEmpty, "seed \(seed): \(text)")
    }
  }

  @Test("So it is for objects by ID, with rows under their IDs and under other names")
  func agreementOfKeyed() throws {
    let ids = ["1", "\"1\"", "2", "\"a\"", "1.0", "null"]
    let names = ["1", "2", "a", "1.0", "b"]
    for seed in LawRuns(count: 120).seeds {
      var random = SeededGenerator(seed: seed)
      let member = ["id", "code", "name"][random.number(in: 0..<3)]
      let hasIDs = !random.oneIn(4)
      let rows = names.prefix(random.number(in: 1..<4)).map { name in
        let id =
          random.oneIn(3) ? ids[random.number(in: ids.indices)] : name == "a" ? "\"a\"" : name
        let text = name == "b" ? "\"b\"" : id
        return "\"\(name)\": {" + (hasIDs ? "\"\(member)\": \(text), " : "") + "\"x\": true}"
      }
      let text = "{\"items\": {\(rows.joined(separator: ", "))}}"
      let inference = try #require(inferring([("items.json", text)]))
      let database = importing([text], ImportOptions(schema: inference.schema)).database
      expectEqual(
        database != nil, inference.withoutIDs.isEmpty,
        "seed \(seed): \(text) \(inference.explanation())")
    }
  }

  @Test("So it is for files with records of one entity, of which some have no ID")
  func agreementOfFiles() throws {
    func lines(_ random: inout SeededGenerator) -> String {
      (0..<random.number(in: 1..<5)).map { _ in
        let id = random.number(in: 1..<4)
        let member = random.oneIn(8) ? "" : "\"id\": \(id), "
        return "{\(member)\"name\": \"n\(id)\", \"x\": \(random.oneIn(20))}\n"
      }.joined()
    }
    var united = 0
    for seed in LawRuns(count: 120).seeds {
      var random = SeededGenerator(seed: seed)
      let texts = [
        (name: "users.ndjson", text: lines(&random)), (name: "people.ndjson", text: lines(&random)),
      ]
      let inference = try #require(inferring(texts))
      let roots = Set(inference.roots.map(\.entity))
      guard roots.count == 1 else { continue }
      united += 1
      let sources = texts.map { ImportSource(name: $0.name, bytes: Array($0.text.utf8)) }
      let options = ImportOptions(
        format: .ndjson, schema: inference.schema, root: inference.roots[0].entity)
      let database = Importer.importing(sources, into: nil, options: options).0
      expectEqual(
        database != nil, inference.withoutIDs.isEmpty,
        "seed \(seed): \(texts) \(inference.explanation())")
    }
    #expect(united > 20)
  }

  @Test("Reasons why IDs do not serve name what is wrong, also where two places hold the entity")
  func reasons() throws {
    for (texts, reason) in [
      (
        ["[{\"id\": 1e3}, {\"id\": 1000}]"],
        "1 ID is the same number as another, in another spelling"
      ),
      (
        ["[{\"id\": 1e3}, {\"id\": 1000}, {\"id\": 2}, {\"id\": 1000.0}]"],
        "2 IDs are the same numbers as others, in other spellings"
      ),
      (
        ["{\"1\": {\"id\": 2}, \"3\": {\"id\": 3}}"],
        "1 of 2 records is under another name than its ID"
      ),
      (
        ["{\"1\": {\"id\": 2}, \"2\": {\"id\": 1}}"],
        "2 of 2 records are under other names than their IDs"
      ),
      (
        [
          "[{\"id\": 1, \"a\": \"x\"}, {\"id\": 2, \"a\": \"y\"}]",
          "[{\"id\": 1, \"a\": \"x\"}, {\"a\": \"z\"}]",
        ], "1 of 4 records has no such ID"
      ),
      (
        [
          "[{\"id\": 10, \"a\": \"x\"}]",
          "[{\"id\": 1e1, \"a\": \"x\"}, {\"id\": 10, \"a\": \"x\"}]",
        ],
        "1 ID is the same number as another, in another spelling"
      ),
    ] {
      let files = texts.enumerated().map { (name: "f\($0.offset).json", text: $0.element) }
      let inference = try #require(inferring(files))
      expectEqual(inference.withoutIDs.count, 1, "\(texts)")
      let found = inference.withoutIDs.map(\.reason)
      expectTrue(found.allSatisfy { $0.hasPrefix(reason) }, "\(found)")
    }
    let model = #"{"model": "a.b", "pk": 1, "fields": {"x": 1}}"#
    let other = #"{"model": "a.b", "pk": "1", "fields": {"x": 1}}"#
    let django = try #require(inferring([("d.json", "[\(model), \(other)]")]))
    expectEqual(
      django.withoutIDs.map(\.reason), ["1 ID is a number in one place and a string in another"])
  }

  @Test("A string and a number are two IDs, and one of both with the same text are none")
  func stringsAndNumbers() throws {
    for text in [
      #"[{"id": "1", "x": 1}, {"id": 2, "x": 2}]"#, #"[{"id": "0"}, {"id": 3}]"#,
      #"[{"id": 1.5}, {"id": 2}]"#, #"[{"id": 99999999999999999999}, {"id": 2}]"#,
    ] {
      let line = try guess(text).line(about: "items")
      expectEqual(
        line, "items: an entity, ID in \"id\" (sure: 2 records, 2 IDs, every ID is unique)",
        "\(text)")
    }
    for (text, reason) in [
      (#"[{"id": "1"}, {"id": 1}]"#, "1 ID is a number in one place and a string in another"),
      (
        #"[{"id": "1"}, {"id": 1}, {"id": 2}, {"id": "2"}]"#,
        "2 IDs are numbers in one place and strings in another"
      ),
    ] {
      let inference = try #require(inferring([("items.json", text)]))
      expectEqual(inference.withoutIDs.map(\.reason), [reason], "\(text)")
    }
    let places = try #require(
      inferring([
        ("posts.json", #"[{"id": 1, "author": {"id": 7}, "editor": {"id": "8"}}]"#),
        ("authors.json", #"[{"id": "7", "name": "Ann"}]"#),
      ]))
    expectEqual(
      places.withoutIDs.map(\.reason), ["1 ID is a number in one place and a string in another"])
    let nested = try guess(#"[{"id": 1, "parts": [{"id": 1}, {"id": "1"}]}]"#)
    expectEqual(
      nested.line(about: "items.parts"),
      "items.parts: kept whole "
        + "(likely: 1 ID is a number in one place and a string in another)")
  }

  @Test("A member that looks like an ID is none where the input declares the ID")
  func declaredIDs() throws {
    let plain = #""plain": [{"id": 1, "b": "x"}, {"id": 2, "b": "y"}, {"id": 3, "b": "z"}]"#
    for (id, rows) in [
      (#"["a", "b"]"#, #"{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "z"}"#),
      (#"["id", "b"]"#, #"{"id": 1, "b": "x"}, {"id": 1, "b": "y"}, {"id": 2, "b": "z"}"#),
    ] {
      let inference = try guess(
        """
        {"schema": {"entities": {"comp": {"id": \(id)}, "plain": {}}},
         "entities": {"comp": [\(rows)], \(plain)}}
        """)
      let name = id.split(separator: "\"")[1]
      expectEqual(inference.summary, "comp(\(name)+b); plain(id)", "\(inference.explanation())")
    }
    let keyed = try guess(
      """
      {"schema": {"entities": {"comp": {"id": ["a", "b"]}, "plain": {}}},
       "entities": {"comp": {"1/x": {"a": 1, "b": "x"}, "1/y": {"a": 1, "b": "y"}}, \(plain)}}
      """)
    expectEqual(keyed.summary, "comp(a+b); plain(id)")
  }

  @Test("One long ID among many is an ID, and long texts are not")
  func longIDs() throws {
    let long = String(repeating: "x", count: 70)
    let packages = ["{\"name\": \"\(long)\"}"] + (0..<20).map { "{\"name\": \"p\($0)\"}" }
    let inference = try guess("[\(packages.joined(separator: ","))]", name: "packages.json")
    expectEqual(inference.summary, "packages(name)")
    let named = try guess("[{\"id\": \"\(long)\"}, {\"id\": \"\(long)y\"}]")
    expectEqual(named.summary, "items(id)")
    let posts = ["a", "b"].map { "{\"body\": \"\(long)\($0)\", \"number\": \"\($0)\"}" }
    try expectEqual(guess("[\(posts.joined(separator: ","))]").summary, "items(number)")
    let texts = ["a", "b"].map { "{\"body\": \"\(long)\($0)\"}" }
    let inferred = try #require(inferring([("a.json", "[\(texts.joined(separator: ","))]")]))
    expectEqual(inferred.withoutIDs.count, 1)
  }
}
