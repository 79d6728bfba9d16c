import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Testing

private struct Person: EntityType, Identifiable, Codable {
  let id: String
  var name: String
}

private struct Remark: EntityType, Identifiable, Codable {
  let id: Int
  var text: String
  var author: Person.EntityID
}

private struct Entry: EntityType, Identifiable, Codable {
  let id: String
  var title: String
  var authorID: Person.EntityID?
  var remarks: [Remark.EntityID]
}

private struct Diary: NormalizedStorageType {
  struct Contents: StorageContents {
    var entries = Tables.Ordered<Entry>()
    var people = Tables.Hash<Person>()
    var remarks = Tables.Hash<Remark>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("entries", \.entries)
      visitor.table("people", \.people)
      visitor.table("remarks", \.remarks)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var entries: Tables.Ordered<Entry> { snapshot.contents.entries }
}

@Suite("Typed import: the shapes that an import with a schema reads")
struct TypedShapeTests {
  private let nested = """
    [{"id": "e1", "title": "One", "author": {"id": "a1", "name": "Ann"},
      "remarks": [{"id": 2, "text": "Ho", "author": "a1"}, {"id": 1, "text": "Hi", "author": "a1"}]},
     {"id": "e2", "title": "Two", "authorID": null, "remarks": []}]
    """
  private let jsonAPI = """
    {"data": [
       {"type": "entries", "id": "e1", "attributes": {"title": "One", "id": "e1"},
        "links": {"self": "/1"},
        "relationships": {"author": {"data": {"type": "people", "id": "a1"}, "links": {}},
                          "editors": {"data": [{"type": "people", "id": "a1"}]},
                          "remarks": {"data": [{"type": "remark", "id": "2"},
                                               {"id": "1", "type": "remark"}]}}},
       {"relationships": {"author": {"data": null}, "remarks": {"data": []}},
        "id": "e2", "attributes": {"title": "Two"}, "type": "Entry"}],
     "included": [
       {"type": "people", "id": "a1", "attributes": {"name": "Ann"}},
       {"type": "remark", "id": "1", "attributes": {"text": "Hi"},
        "relationships": {"author": {"data": {"type": "people", "id": "a1"}}}},
       {"type": "remark", "id": "2", "attributes": {"text": "Ho", "id": 2},
        "relationships": {"author": {"data": {"type": "people", "id": "a1"}}}}],
     "meta": {"total": 2}}
    """
  private let django = """
    [{"model": "diary.entry", "pk": "e1",
      "fields": {"title": "One", "author": "a1", "remarks": [2, 1]}},
     {"fields": {"title": "Two", "author": null, "remarks": []}, "pk": "e2", "model": "diary.entry"},
     {"model": "auth.people", "pk": "a1", "fields": {"name": "Ann"}},
     {"model": "diary.remark", "pk": 1, "fields": {"text": "Hi", "author": "a1"}},
     {"model": "diary.remark", "pk": 2, "fields": {"text": "Ho", "author": "a1"}}]
    """
  private let graphQL = """
    {"data": {"viewer": {"entries": {"edges": [
       {"cursor": "x", "node": {"__typename": "Entry", "id": "e1", "title": "One",
         "author": {"__typename": "Person", "id": "a1", "name": "Ann"},
         "remarks": {"nodes": [
           {"id": 2, "text": "Ho", "author": {"id": "a1", "__typename": "Person"}},
           {"id": 1, "text": "Hi", "author": {"id": "a1"}}], "totalCount": 2}}},
       {"node": {"id": "e2", "title": "Two", "author": null, "remarks": {"edges": []}}}],
      "pageInfo": {"hasNextPage": false}}}}, "extensions": {}}
    """
  private let keyed = """
    {"e1": {"title": "One", "author": {"id": "a1", "name": "Ann"},
      "remarks": [{"id": 2, "text": "Ho", "author": "a1"}, {"id": 1, "text": "Hi", "author": "a1"}]},
     "e2": {"id": "e2", "title": "Two", "remarks": []}}
    """
  private let tables = """
    {"entries": [{"id": "e1", "title": "One", "authorID": "a1", "remarks": [2, 1]},
                 {"id": "e2", "title": "Two", "remarks": []}],
     "people": {"a1": {"id": "a1", "name": "Ann"}},
     "remarks": [{"id": 2, "text": "Ho", "author": "a1"}, {"id": 1, "text": "Hi", "author": "a1"}]}
    """

  private func imported(
    _ text: String, _ format: ImportFormat = .auto, keys: KeySpelling = .same
  ) -> TypedImport<Diary, Entry> {
    var options = TypedImportOptions(keys: keys)
    options.format = format
    let result = Importer.importing(
      [source(text)], of: Entry.self, into: Diary(), options: options)
    let report = result.report
    expectEqual(
      report.read, report.inserted + report.updated + report.unchanged + report.rejected,
      "Law 33: read = inserted + updated + unchanged + rejected")
    return result
  }

  @Test("Law 31: one graph in six shapes imports to equal databases")
  func equal() throws {
    let expected = try #require(imported(nested).database)
    expectEqual(expected.entries.find(by: "e1")?.remarks, [2, 1])
    for (format, text) in [
      (ImportFormat.jsonapi, jsonAPI), (.django, django), (.graphql, graphQL), (.keyed, keyed),
      (.tables, tables),
    ] {
      for asked in [format, .auto] {
        let result = imported(text, asked)
        expectTrue(result.report.problems.isEmpty, "\(format): \(result.report.problems)")
        expectEqual(result.database, expected, "\(format)")
        expectEqual(result.rootIDs, ["e1", "e2"], "\(format)")
        expectEqual(result.report.files.map(\.format), [format])
      }
      var again = expected
      let report = try again.importJSON(source(text), of: Entry.self)
      expectTrue(report.unchanged == report.read && again == expected, "law 29 in \(format)")
    }
    let described = imported(jsonAPI).report
    expectEqual(
      described.ignored.map { "\($0.count) \($0.name)" },
      [
        "1 entries.editors", "2 links", "1 meta",
      ])
    expectEqual(
      imported(graphQL).report.ignored.map { "\($0.count) \($0.name)" },
      [
        "1 edges.cursor", "1 extensions", "1 pageInfo", "1 totalCount",
      ])
  }

  @Test("custom names apply in every shape, including the ID")
  func spelled() {
    let capitals = KeySpelling.custom { $0.uppercased() }
    for (format, text) in [
      (ImportFormat.keyed, #"{"e": {"TITLE": "T", "REMARKS": []}}"#),
      (.django, #"[{"model": "entry", "pk": "e", "fields": {"TITLE": "T", "REMARKS": []}}]"#),
      (
        .jsonapi,
        #"{"data": {"type": "entry", "id": "e", "attributes": {"TITLE": "T", "REMARKS": []}}}"#
      ),
    ] {
      let result = imported(text, format, keys: capitals)
      expectTrue(result.report.problems.isEmpty, "\(format): \(result.report.problems)")
      expectEqual(result.rootIDs, ["e"])
    }
  }

  @Test("names of records that no table has are problems, unless the options name the entity")
  func typeNames() {
    let text =
      #"{"data": {"type": "notes", "id": "e", "attributes": {"title": "T", "remarks": []}}}"#
    let unknown = imported(text)
    expectEqual(
      unknown.report.problems.map(\.description),
      [
        "in.json: $.data.type: error: unknownEntity: \"notes\" is no table or entity of Diary; "
          + "name "
          + "its entity in typeNames"
      ])
    var options = TypedImportOptions()
    options.typeNames["notes"] = Entry.self
    let named = Importer.importing(
      [source(text)], of: Entry.self, into: Diary(), options: options)
    expectEqual(named.rootIDs, ["e"])
  }

  @Test("problems are listed with their paths, and nothing is imported")
  func problems() {
    let rows: [(ImportFormat, String, [String])] = [
      (
        .jsonapi,
        #"""
        {"data": [{"type": "entries", "attributes": {}}, 7, {"type": "entries", "id": 1},
                  {"type": "entries", "id": "1", "attributes": []},
                  {"type": "entries", "id": "1", "attributes": {"id": "2"}},
                  {"type": "entries", "id": "1", "attributes": {"title": 1, "remarks": []}},
                  {"type": "entries", "id": "1", "relationships": {"author": 1}},
                  {"type": "entries", "id": "1", "relationships": {"author": {"data": 1}}},
                  {"type": "entries", "id": "1", "relationships": {"author": {"data": {}}}},
                  {"type": "entries", "id": "2", "attributes": {"title": "T", "title": "T", "remarks": []}},
                  {"type": "entries", "id": "3", "attributes": {"title": "T", "remarks": [], "author": 1},
                   "relationships": {"author": {"data": null}}},
                  {"type": "entries", "id": "1", "attributes": {"title": "T"},
                   "relationships": {"remarks": {"data": [{"type": "remark", "id": "x"}]}}},
                  {"type": "entries", "id": "4", "attributes": {"title": "T", "remarks": []},
                   "relationships": {"author": {"data": null}, "author": {"data": null}}}],
         "included": {}, "errors": []}
        """#,
        [
          "$.data[0]: this resource has no id",
          "$.data[1]: expected a resource, which is an object with type and id, found a number",
          "$.data[2].id: expected a string as id of a resource, found a number",
          "$.data[3].attributes: expected an object as attributes of a resource, found an array",
          "$.data[4].attributes.id: entries \"1\" has another \"id\" among its attributes; "
            + "leave one "
            + "of them out, or make them equal",
          "$.data[5].attributes.title: expected a String, found a number",
          "$.data[6].relationships.author: expected a relationship, which is an object, found a "
            + "number",
          "$.data[7].relationships.author.data: expected null, a resource identifier or an "
            + "array of these as linkage, found a number",
          "$.data[8].relationships.author.data: this resource identifier has no type and id "
            + "that are strings",
          "$.data[9].attributes.title: the object already has a member of this name",
          "$.data[10].relationships.author: the object already has a member of this name",
          "$.data[11].relationships.remarks.data[0].id: expected an Int, found a string",
          "$.data[12].relationships.author: the object already has a member of this name",
          "$.included: expected an array of resources, found an object",
          "$.errors: the document has errors instead of data",
        ]
      ),
      (
        .django,
        #"""
        [1, {"pk": 1, "fields": {}}, {"model": "x", "fields": 1}, {"model": "a.b", "fields": {}},
         {"model": "entry", "fields": {"title": "T", "remarks": []}},
         {"model": "entry", "pk": "e", "fields": {"title": "T", "remarks": 1}}]
        """#,
        [
          "$[0]: expected a record, which is an object with model, pk and fields, found a number",
          "$[1]: this record has no model that is a string such as \"blog.post\"",
          "$[2]: this record has no fields that are an object",
          "$[3].model: \"a.b\" is no table or entity of Diary; name its entity in typeNames",
          "$[4]: this record of entries has no \"id\"",
          "$[5].fields.remarks: expected an array, found a number",
        ]
      ),
      (
        .keyed,
        #"{"a": 1, "b": {"id": "c"}, "d": {"title": 1}, "d": {"title": "T", "remarks": []}}"#,
        [
          "$.a: expected an object as a record of entries, found a number",
          "$.b: the record under \"b\" has the ID \"c\"; make them equal",
          "$.d.title: expected a String, found a number",
          "$.d: the object already has a member of this name",
        ]
      ),
      (
        .graphql,
        #"""
        {"errors": [], "data": {"a": {"id": "e", "title": 1}, "b": {"nodes": [null, {"id": "f",
          "title": "T", "remarks": [{"id": true}]}]}, "c": {"__typename": "Note", "id": "g"}}}
        """#,
        [
          "$.errors: the response has errors, so its data may be incomplete",
          "$.data.a.title: expected a String, found a number",
          "$.data.b.nodes[1].remarks[0].id: expected an Int, found a boolean",
          "$.data.c.__typename: \"Note\" is no table or entity of Diary; name its entity in "
            + "typeNames",
        ]
      ),
      (.tables, "[]", ["$: expected an object of tables, found an array"]),
      (
        .csv, "id",
        ["$: CSV cannot be imported into Swift types, only with a schema; convert it to JSON"]
      ),
    ]
    for (format, text, expected) in rows {
      let result = imported(text, format)
      expectNil(result.database)
      expectEqual(result.report.problems.map { "\($0.path): \($0.message)" }, expected, "\(format)")
    }
  }

  @Test("Law 33: a record whose ID is not its key counts as read and as rejected")
  func keyedCount() {
    let report = imported(#"{"b": {"id": "c"}, "d": {"title": "T", "remarks": []}}"#, .keyed).report
    expectTrue(report.read == 2 && report.rejected == 2 && report.problems.count == 1)
  }

  @Test(
    "A response without records is refused if it has errors or no data",
    arguments: [
      (
        #"{"errors": [{"message": "no access", "path": ["entries"]}]}"#,
        "$.errors: the response has errors instead of data: no access"
      ),
      (
        #"{"data": null, "errors": [{"message": "a"}, {"message": "b"}]}"#,
        "$.errors: the response has errors instead of data: a, and 1 more"
      ),
      (
        #"{"errors": [{"message": "a"}], "data": {"viewer": {"entries": null}}}"#,
        "$.errors: the response has errors instead of data: a"
      ),
      (#"{"data": null}"#, "$.data: the response has no data"),
      (#"{"extensions": {}}"#, "$: the response has no data"),
    ])
  func withoutRecords(text: String, problem: String) {
    let result = imported(text, .graphql)
    expectNil(result.database)
    expectEqual(result.report.problems.map { "\($0.path): \($0.message)" }, [problem])
  }

  @Test("Without errors, data without records are imported")
  func emptyData() {
    for text in [#"{"data": {"entries": []}}"#, #"{"data": {"viewer": null}}"#] {
      let result = imported(text, .graphql)
      expectTrue(result.database != nil && result.report.problems.isEmpty)
    }
  }

  @Test("two models of Django's become one table only if the options name both")
  func djangoModels() {
    func rows(_ first: String, _ second: String) -> String {
      """
      [{"model": "\(first)", "pk": "a", "fields": {"name": "A"}},
       {"model": "\(second)", "pk": "b", "fields": {"name": "B"}},
       {"model": "\(first)", "pk": "c", "fields": {"name": "C"}}]
      """
    }
    func imported(_ text: String, _ named: [String]) -> ImportReport {
      var options = TypedImportOptions()
      options.format = .django
      for name in named { options.typeNames[name] = Person.self }
      return Importer.importing(
        [source(text)], of: Person.self, into: Diary(), options: options
      ).report
    }
    for (first, second) in [("auth.people", "shop.people"), ("shop.person", "auth.people")] {
      for named in [[], [first], [second]] {
        let report = imported(rows(first, second), named)
        expectEqual(
          report.problems.map(\.description),
          [
            "in.json: $[1].model: error: conflict: rows of the models \"\(first)\" and "
              + "\"\(second)\" "
              + "would both be people; name the entity of each in typeNames"
          ])
        expectTrue(report.read == 3 && report.rejected == 3)
      }
      let both = imported(rows(first, second), [first, second])
      expectTrue(both.problems.isEmpty && both.inserted == 3)
    }
  }

  @Test("a field \"id\" beside the pk of a Django row equals it, or is a problem")
  func djangoIDs() {
    func rows(_ key: String, _ id: String) -> String {
      #"[{"model": "remark", "pk": \#(key), "fields": {"id": \#(id), "text": "T", "author": "a"}}]"#
    }
    func imported(_ text: String) -> TypedImport<Diary, Remark> {
      var options = TypedImportOptions()
      options.format = .django
      return Importer.importing(
        [source(text)], of: Remark.self, into: Diary(), options: options)
    }
    for id in ["1", #""1""#] {
      expectEqual(imported(rows("1", id)).rootIDs, [1])
    }
    for id in ["2", "null", #""x""#] {
      let result = imported(rows("1", id))
      expectNil(result.database)
      expectEqual(
        result.report.problems.map(\.description),
        [
          "in.json: $[0].fields.id: error: conflict: the record of remarks has another \"id\" "
            + "among its "
            + "fields than its pk; leave one of them out, or make them equal"
        ])
    }
  }

  @Test("a key with escapes, and one that is a number, are the IDs of their records")
  func keys() {
    let strings = imported(#"{"e\u0031": {"title": "T", "remarks": []}}"#, .keyed)
    expectEqual(strings.rootIDs, ["e1"])
    var options = TypedImportOptions()
    options.format = .keyed
    let numbers = Importer.importing(
      [source(#"{"7": {"text": "T", "author": "a"}, "x": {"text": "T", "author": "a"}}"#)],
      of: Remark.self, into: Diary(), options: options)
    expectEqual(
      numbers.report.problems.filter { $0.severity == .error }.map(\.description),
      [
        "in.json: $.x: error: typeMismatch: expected an Int, found a string"
      ])
    let number = Importer.importing(
      [source(#"{"7": {"text": "T", "author": "a"}}"#)], of: Remark.self, into: Diary(),
      options: options)
    expectEqual(number.rootIDs, [7])
  }
}
