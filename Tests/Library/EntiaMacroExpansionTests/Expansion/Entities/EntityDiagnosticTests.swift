import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Diagnostics of @Entity and @Stored")
struct EntityDiagnosticTests {
  @Test(
    "Only a struct is an entity",
    arguments: [("class", true), ("enum", false), ("actor", false), ("protocol", false)])
  func notAStruct(keyword: String, hasFixIt: Bool) {
    let expansion = Expanding.entity("/// class\n@Entity final \(keyword) Post {}")
    expectEqual(
      expansion.findings,
      [
        "\(keyword): '@Entity' needs a struct, because an entity is a plain value; declare 'Post' "
          + "as a struct"
      ])
    expectNil(expansion.source)
    expectEqual(expansion.fixed.contains("final struct Post {}"), hasFixIt)
  }

  @Test(
    "Coding keys that name members otherwise than rows are reported",
    arguments: [
      (
        #"var b: Int; enum CodingKeys: Swift.String, Swift.CodingKey { case id, b = "c" }"#,
        #""c": rows have 'b' under the name 'b', because '@Entity' does not read CodingKeys; mark "#
          + #"the property with '@Stored("c")'"#
      ),
      (
        #"@Stored("c") var b: Int; private enum CodingKeys: CodingKey { case id; case `b` }"#,
        "`b`: rows have 'b' under the name 'c', because '@Entity' does not read CodingKeys; mark "
          + #"the property with '@Stored("b")'"#
      ),
      (
        "var b: Int; enum CodingKeys: CodingKey { case id }",
        "CodingKeys: rows have 'b', because '@Entity' does not read CodingKeys; add the case 'b', "
          + "or mark the property with '@Transient'"
      ),
      (
        #"""
        @Stored("c") var b: Int; @Transient var d = 1
        enum CodingKeys: Swift.String, Swift.CodingKey { case id, b = "c", _d; var e: Int { 0 } }
        """#, nil
      ),
      (
        """
        var b: Int; enum CodingKeys: CodingKey { case id }
        func encode(to encoder: any Swift.Encoder) throws {}
        """, nil
      ),
    ])
  func codingKeys(members: String, finding: String?) {
    let expansion = Expanding.entity(
      "struct Post: Codable { var id: Int; \(members) }",
      missing: ["EntityType", "Identifiable", "RowCodable"])
    expectEqual(expansion.findings, finding.map { [$0] } ?? [])
  }

  @Test(
    "Each problem of a member is reported at its token",
    arguments: [
      (
        #"@Stored("b") var a: Int; var b: Int"#,
        #""b": 'b' is the name of 'b' in rows; write another name for 'a'"#
      ),
      (
        #"@Stored("c") var a: Int; @Stored("c") var b: Int"#,
        #""c": 'c' is the name of 'a' in rows; write another name for 'b'"#
      ),
      (
        #"@Stored(renamedFrom: "b") var a: Int; var b: Int"#,
        #""b": 'b' is the name of 'b' in rows, so it is no old name of 'a'; write another name, or "#
          + "remove it"
      ),
      (
        #"@Stored(renamedFrom: "a") var a: Int"#,
        #""a": 'a' is the name of 'a' in rows, so it is no old name of 'a'; write another name, or "#
          + "remove it"
      ),
      (
        #"@Stored("") var a: Int"#,
        #""": a name has at least one letter; write it, as in '"author"'"#
      ),
      (
        #"@Stored("a\(b)") var a: Int"#,
        #""a\(b)": the name must be a plain string literal without escapes, because macros run before "#
          + #"the program; write it as in '@Stored("author")'"#
      ),
      (
        #"@Stored("\u{61}") var a: Int"#,
        #""\u{61}": the name must be a plain string literal without escapes, because macros run before "#
          + #"the program; write it as in '@Stored("author")'"#
      ),
      (
        #"@Stored("b", renamedFrom: Self.c) var a: Int"#,
        "Self.c: the name must be a plain string literal without escapes, because macros run before "
          + #"the program; write it as in '@Stored("author")'"#
      ),
      (
        "@Stored var a: Int",
        #"@Stored: '@Stored' needs a name, as in '@Stored("author")' or "#
          + #"'@Stored(renamedFrom: "name")'"#
      ),
      (
        #"@Stored("b") var a: Int { 1 }"#,
        #"@Stored("b"): 'a' is computed, so rows do not have it; remove '@Stored'"#
      ),
      (
        #"@Stored("b") static var a = 1"#,
        #"@Stored("b"): 'a' is 'static', so rows do not have it; remove '@Stored'"#
      ),
      (
        #"@Stored("b") lazy var a = 1"#,
        #"@Stored("b"): 'a' is lazy, so rows do not have it; remove '@Stored'"#
      ),
      (
        #"@Stored("b") let a = 1"#,
        #"@Stored("b"): 'a' is a constant with a value, so rows do not have it; remove '@Stored'"#
      ),
      (
        #"@Transient @Stored("b") var a = 1"#,
        #"@Stored("b"): 'a' is transient, so rows do not have it; remove '@Stored' or '@Transient'"#
      ),
      (
        #"@Stored("b") @Stored(renamedFrom: "c") var a: Int"#,
        #"@Stored(renamedFrom: "c"): a member has one '@Stored'; write all names in the first one"#
      ),
      (
        #"@Stored("b") var a, b: Int"#,
        "b: '@Stored' marks one member; declare 'b' in a 'var' of its own"
      ),
      (
        #"@Stored("b") func a() {}"#,
        #"@Stored("b"): '@Stored' marks a stored property, as in '@Stored("author") var authorID: "#
          + "Author.EntityID'"
      ),
      (
        "var (a, b) = (1, 2)",
        "(a, b): '(a, b)' are several members; declare each of them by its name"
      ),
    ])
  func members(members: String, finding: String) {
    let expansion = Expanding.entity("@Entity struct Post { let id: Int; \(members) }")
    expectEqual(expansion.findings, [finding])
    // The members cause no further errors.
    expectEqual(expansion.source?.contains("init(row:"), true)
  }

  @Test(
    "An entity has an ID",
    arguments: [
      (
        "@Entity struct Post { var title: String }",
        "Post: 'Post' needs an ID; add 'let id: String', or name the property that is the ID, as in "
          + #"'@Entity(id: "slug")'"#
      ),
      (
        "@Entity struct Post { static let id = 1 }",
        "Post: 'Post' needs an ID; add 'let id: String', or name the property that is the ID, as in "
          + #"'@Entity(id: "slug")'"#
      ),
      (
        "@Entity struct Post { let id = UUID() }",
        "id: 'id' is a constant with a value, so all rows that are read would lose their own; write "
          + "'let id: UUID', or 'var id = UUID()'"
      ),
      (
        "@Entity struct Post { let id = make() }",
        "id: 'id' is a constant with a value, so all rows that are read would lose their own; write "
          + "'let id: String', or 'var id = make()'"
      ),
      (
        #"@Entity(id: "slog") struct Post { let slug: String; var title: String }"#,
        #""slog": 'slog' is no stored property of 'Post'; did you mean 'slug'? Write one of 'slug', "#
          + "'title'"
      ),
      (
        #"@Entity(id: "number") struct Post { let slug: String; var number: Int { 1 } }"#,
        #""number": 'number' is computed, so rows do not have it; write one of 'slug'"#
      ),
      (
        #"@Entity(id: "a") struct Post { @Transient var a = 1; let b: Int }"#,
        #""a": 'a' is transient, so rows do not have it; write one of 'b'"#
      ),
      (
        #"@Entity(id: "a") struct Post { let a = 1 }"#,
        #""a": 'a' is a constant with a value, so rows do not have it; an ID is a stored property"#
      ),
      (
        #"@Entity(id: "slug") struct Post {}"#,
        #""slug": 'slug' is no stored property of 'Post'; add 'let slug: String'"#
      ),
      (
        #"@Entity(id: "a", "a") struct Post { let a: Int }"#,
        #""a": 'a' is already part of the ID; write each name once"#
      ),
      (
        #"@Entity(id: name) struct Post { let a: Int }"#,
        "name: the name must be a plain string literal without escapes, because macros run before "
          + #"the program; write it as in '@Entity(id: "slug")'"#
      ),
      (
        #"@Entity(id: "a") struct Post { var a = make() }"#,
        "a: 'a' needs an explicit type, as in 'let a: String', because it is an ID: macros cannot "
          + "see inferred types"
      ),
      (
        #"@Entity(id: "a") struct Post { let a: Int? }"#,
        "a: 'a' is an ID, which must not be optional, because all entities whose ID is nil would be "
          + "one; write 'a: Int'"
      ),
      (
        #"@Entity(id: "entityID") struct Post { let entityID: Int }"#,
        "entityID: 'entityID' is the name of the typed ID of every entity, which '@Entity' declares; "
          + "give this property another name, such as 'id'"
      ),
      (
        #"@Entity(id: "slug") struct Post { let slug: Int; var entityID: Int { 1 } }"#,
        "entityID: 'entityID' is the name of the typed ID of every entity, which '@Entity' declares; "
          + "give this property another name, such as 'id'"
      ),
      (
        #"@Entity(id: "a", "entityID") struct Post { let a: Int; let entityID: Int }"#,
        "entityID: 'entityID' is the name of the typed ID of every entity, which '@Entity' declares; "
          + "give this property another name, such as 'id'"
      ),
      (
        #"@Entity(id: "a", "b") struct Post { let a: Int; let b: Int; let id: Int }"#,
        "id: 'id' is a name that '@Entity' declares for the ID of 'a', 'b'; give this declaration "
          + "another name"
      ),
      (
        #"@Entity(id: "a", "b") struct Post { let a: Int; let b: Int; struct ID {} }"#,
        "ID: 'ID' is a name that '@Entity' declares for the ID of 'a', 'b'; give this declaration "
          + "another name"
      ),
    ])
  func identity(source: String, finding: String) {
    let expansion = Expanding.entity(source)
    expectEqual(expansion.findings, [finding])
    expectEqual(expansion.source, "")
    let members = Expanding.entityMembers(source)
    expectTrue(members.source == "" && members.diagnostics.isEmpty)
  }

  @Test(
    "An optional of an optional is no member of rows",
    arguments: [
      ("let a: Int??", "Int?"), ("var a: Optional<Int?> = 1", "Int?"),
      ("var b, a: A.B<C>??", "A.B<C>?"),
      ("var a: Int?", nil), ("var a: [Int?]?", nil), ("@Transient var a: Int?? = nil", nil),
      ("var a: Int?? { nil }", nil),
    ])
  func optionals(member: String, type: String?) {
    let expansion = Expanding.entity("struct Post { let id: Int; \(member) }")
    let message =
      "optional of an optional, and rows have only one kind of nil; write 'a: \(type ?? "")'"
    expectEqual(expansion.diagnostics.contains { $0.message.hasSuffix(message) }, type != nil)
    if let type {
      expectTrue(
        expansion.fixed.contains("a: \(type) ") || expansion.fixed.contains("a: \(type) }"))
    }
  }

  @Test("A misspelled name is replaced")
  func fixIt() {
    let expansion = Expanding.entity(#"@Entity(id: "Slg") struct Post { let slug: String }"#)
    expectEqual(expansion.fixed, #"@Entity(id: "slug") struct Post { let slug: String }"#)
  }

  @Test("A private entity in another type is not visible to its extension")
  func privateEntity() {
    let expansion = Expanding.entity(
      "@Entity private struct Post { let id: Int }", in: ["struct Blog {}"])
    expectEqual(
      expansion.findings,
      [
        "private: an entity nested in another type must be visible in its file; make it "
          + "'fileprivate'"
      ])
    expectEqual(expansion.fixed, "@Entity fileprivate struct Post { let id: Int }")
    expectEqual(expansion.source, "")
  }

  @Test("@Stored works in an entity")
  func stored() {
    func expand(_ contexts: [String]?, role: String = "peer") -> MacroExpansion {
      MacroExpansion.expand(
        Expanding.request("StoredMacro", role: role, #"@Stored("b") var a: Int"#, in: contexts))
    }
    for contexts in [["@Entity struct Post {}"], ["@Entity class Post {}"], nil] as [[String]?] {
      expectEqual(expand(contexts).findings, [])
      expectEqual(expand(contexts).source, "")
    }
    for contexts in [[], ["struct Post {}"], ["extension Post {}", "@Entity struct A {}"]] {
      expectEqual(
        expand(contexts).findings,
        [
          #"@Stored("b"): '@Stored' works only in the body of a struct marked '@Entity'; mark the "#
            + "struct, or remove '@Stored'"
        ])
    }
    expectFalse(expand([], role: "member").diagnostics.isEmpty)
    expectFalse(
      MacroExpansion.expand(Expanding.request("EntityMacro", role: "peer", "struct A {}"))
        .diagnostics.isEmpty)
  }
}
