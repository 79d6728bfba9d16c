import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("Misspelt relationships of a schema")
struct MisspeltRelationshipTests {
  private func warnings(_ name: String, _ text: String, strict: Bool = false) -> [String] {
    let schema = Schema([
      Schema.Entity("posts", relationships: [Schema.Relationship(name, to: "authors")]),
      Schema.Entity("authors"),
    ])
    let (database, report) = importing(
      [text], ImportOptions(format: .nested, schema: schema, root: "posts", strict: strict))
    expectTrue(database != nil)
    return problems(report)
  }

  @Test("a misspelt relationship is a warning with a suggestion, even in a strict import")
  func misspelt() {
    let text = #"[{"id":1,"author":{"id":2}},{"id":3,"title":"x"}]"#
    let message =
      "the schema: $.entities.posts.relationships.auther: warning: invalidSchema: no record of posts has "
      + "the member \"auther\"; did you mean \"author\"?"
    expectEqual(warnings("auther", text), [message])
    expectEqual(warnings("auther", text, strict: true), [message])
  }

  @Test("there is no warning if a record has the relationship, or if no member has a similar name")
  func fine() {
    expectEqual(warnings("author", #"[{"id":1},{"id":2,"author":null,"authors":1}]"#), [])
    expectEqual(warnings("editor", #"[{"id":1,"author":{"id":2}}]"#), [])
    expectEqual(warnings("auther", "[]"), [])
  }
}
