import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Diagnostics of @NormalizedStorage")
struct DiagnosticTests {
  @Test(
    "Only a struct is a storage",
    arguments: [("class", true), ("enum", false), ("actor", false), ("protocol", false)])
  func notAStruct(keyword: String, hasFixIt: Bool) {
    let expansion = Expanding.members("// class\n@NormalizedStorage final \(keyword) L: P {}")
    expectEqual(
      expansion.findings,
      [
        "\(keyword): '@NormalizedStorage' needs a struct, because a storage is a plain value; "
          + "declare 'L' as a struct"
      ])
    expectNil(expansion.source)
    expectEqual(expansion.fixed.contains("final struct L: P {}"), hasFixIt)
  }

  /// A member of a storage, its token and the message about it, and the member put right.
  struct Finding: CustomTestStringConvertible, Sendable {
    var member: String
    var finding: String
    var fixed: String?

    init(_ member: String, _ finding: String, fixed: String? = nil) {
      self.member = member
      self.finding = finding
      self.fixed = fixed
    }

    var testDescription: String { member }
  }

  @Test(
    "Each problem of a member is reported at its token",
    arguments: [
      Finding(
        "@Table let a: Tables.Hash<A> = .init()",
        "let: 'a' changes with the storage; declare it with 'var'",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table var a = Tables.Hash<A>()",
        "a: 'a' needs an explicit type, as in '@Table var books: Tables.Hash<Book> = .init()': "
          + "macros cannot see inferred types",
        fixed: "@Table var a: Tables.Hash<A> = Tables.Hash<A>()"),
      Finding(
        "@Index var a = make()",
        "a: 'a' needs an explicit type, as in "
          + "'@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\\.year)': macros cannot see "
          + "inferred types"),
      Finding(
        "@Table var a: Tables.Hash<A> = .init(), b: Tables.Hash<B> = .init()",
        "b: '@Table' marks one property; declare 'b' in a 'var' of its own"),
      Finding(
        "@Table var (a, b): (Tables.Hash<A>, Tables.Hash<B>) = f()",
        "(a, b): '@Table' marks one property; declare it by its name, as in "
          + "'@Table var books: Tables.Hash<Book> = .init()'"),
      Finding(
        "@Table static var a: Tables.Hash<A> = .init()",
        "static: 'a' must be stored in each value of the storage; remove 'static'",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table lazy var a: Tables.Hash<A> = .init()",
        "lazy: 'a' is stored directly in the storage's snapshot; remove 'lazy'",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table public private(set) var a: Tables.Hash<A> = .init()",
        "private(set): 'a' changes only in batches and has no setter; remove 'private(set)'",
        fixed: "@Table public var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table var a: Tables.Hash<A> = .init() { didSet { print(a) } }",
        "didSet: 'a' changes only in batches, which do not call property observers; remove them, and "
          + "examine the changes in 'finalizeTransaction'"),
      Finding(
        "@Table var a: Tables.Hash<A> { get { .init() } }",
        "get: 'a' is computed, so it stores nothing; remove its accessors or '@Table'"),
      Finding(
        "@Index var a: Indexes.Unique<A, Int> { .init(\\.x) }",
        "{: 'a' is computed, so it stores nothing; remove its accessors or '@Index'"),
      Finding(
        "@Table var a: Tables.Hash<A>",
        "a: 'a' needs an initial value; add '= .init()'",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table var a: [Book]",
        "[Book]: '[Book]' is not a table; write 'Tables.Hash<Book>', or 'Tables.Ordered<Book>' for "
          + "rows in an order of your own",
        fixed: "@Table var a: Tables.Hash<Book> = .init()"),
      Finding(
        "@Table var a: [Book.ID: Space.Book] = [:]",
        "[Book.ID: Space.Book]: '[Book.ID: Space.Book]' is not a table; write "
          + "'Tables.Hash<Space.Book>', or 'Tables.Ordered<Space.Book>' for rows in an order of "
          + "your own",
        fixed: "@Table var a: Tables.Hash<Space.Book> = .init()"),
      Finding(
        "@Table var a: IdentifiedArrayOf<A> = []",
        "IdentifiedArrayOf<A>: 'IdentifiedArrayOf<A>' is not a table; write 'Tables.Hash<A>', or "
          + "'Tables.Ordered<A>' for rows in an order of your own",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Table var a: Tables.Hash<A>? = .init()",
        "Tables.Hash<A>?: 'a' is never nil: a table without rows is empty; write 'Tables.Hash<A>'",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Relationship var a: Optional<ToOne<A, B>> = .init(\\.b)",
        "Optional<ToOne<A, B>>: 'a' is never nil: the key is optional if its key path leads "
          + "to an optional; write 'ToOne<A,B>'",
        fixed: "@Relationship var a: ToOne<A,B> = .init(\\.b)"),
      Finding(
        "@Index var a: Indexes.Unique<A, Int>",
        "a: 'a' needs an initial value with the key path to index, as in '= .init(\\.email)'"),
      Finding(
        "@Relationship var a: ToOne<A, B>",
        "a: 'a' needs an initial value with the key path of its key, as in "
          + "'= .init(\\.authorID)'"),
      Finding(
        "@Check var a: Checks.Entity<A>",
        "a: 'a' needs an initial value with a message and a condition, as in "
          + "'= .init(\"the year is positive\") { $0.year > 0 }'"),
      Finding(
        "@Index var a: Checks.Entity<A> = .init(\"b\") { $0.c }",
        "@Index: '@Index' cannot mark a property of type 'Checks.Entity<A>'; mark 'a' with '@Check'",
        fixed: "@Check var a: Checks.Entity<A> = .init(\"b\") { $0.c }"),
      Finding(
        "var count = 0",
        "count: 'count' is stored in the storage but is not one of its parts; mark it with '@Table', "
          + "'@Index' or '@Relationship', or store other state outside of the storage"),
      Finding(
        "let `in`: Int",
        "`in`: 'in' is stored in the storage but is not one of its parts; mark it with '@Table', "
          + "'@Index' or '@Relationship', or store other state outside of the storage"),
      Finding(
        "public var a: Tables.Hash<A> = .init()",
        "a: 'a' is stored in the storage without a marker; mark it with '@Table'",
        fixed: "@Table public var a: Tables.Hash<A> = .init()"),
      Finding(
        "var a: Indexes.Unique<A, Int> = .init(\\.x)",
        "a: 'a' is stored in the storage without a marker; mark it with '@Index'",
        fixed: "@Index var a: Indexes.Unique<A, Int> = .init(\\.x)"),
      Finding(
        "var a: Entia.ToMany<A, B> = .init(\\.x) { didSet {} }",
        "a: 'a' is stored in the storage without a marker; mark it with '@Relationship'",
        fixed: "@Relationship var a: Entia.ToMany<A, B> = .init(\\.x) { didSet {} }"),
      Finding(
        "@Table @Index var a: Tables.Hash<A> = .init()",
        "@Index: '@Index' is a second marker of this property; a property has one marker",
        fixed: "@Table var a: Tables.Hash<A> = .init()"),
      Finding(
        "@Index var a: ToOne<A, B> = .init(\\.x)",
        "@Index: '@Index' cannot mark a property of type 'ToOne<A, B>'; mark 'a' with '@Relationship'",
        fixed: "@Relationship var a: ToOne<A, B> = .init(\\.x)"),
      Finding(
        "@Relationship func a() {}",
        "@Relationship: '@Relationship' marks a stored property, not a 'func'; write it as in "
          + "'@Relationship var bookAuthor: ToOne<Book, Author> = .init(\\.authorID)'"),
      Finding(
        "var snapshot: Int { 1 }",
        "snapshot: 'snapshot' is a name that '@NormalizedStorage' declares; give this 'var' "
          + "another name"),
      Finding(
        "enum Contents {}",
        "Contents: 'Contents' is a name that '@NormalizedStorage' declares; give this 'enum' "
          + "another name"),
      Finding(
        "typealias Contents = Int",
        "Contents: 'Contents' is a name that '@NormalizedStorage' declares; give this 'typealias' "
          + "another name"),
    ])
  func member(_ expected: Finding) {
    // A comment with more than one byte a letter shows that offsets count bytes.
    let prefix = "\n/* größe */ @NormalizedStorage struct L {\n#if A\n  "
    let expansion = Expanding.members("\(prefix)\(expected.member)\n#endif\n}")
    expectEqual(expansion.findings, [expected.finding])
    expectEqual(expansion.fixed, "\(prefix)\(expected.fixed ?? expected.member)\n#endif\n}")
  }

  @Test("A second table of an entity type is refused, with a note on the first")
  func twoTables() throws {
    let expansion = Expanding.members(
      """
      struct L {
        @Table var a: Tables.Hash<Space.A> = .init()
        @Table var b: Tables.Hash<B> = .init()
        @Table var again: Tables.Ordered< Space . /* same */ A > = .init()
        @Index var byName: Indexes.Unique<Space.A, String> = .init(\\.name)
      }
      """)
    expectEqual(
      expansion.findings,
      [
        "Tables.Ordered< Space . /* same */ A >: 'again' is a second table of 'Space.A'; a "
          + "storage has one table for an entity type: remove one, or use another entity type for "
          + "these rows"
      ])
    let note = try #require(expansion.diagnostics.first?.notes.first)
    expectEqual(note.message, "the first table of 'Space.A' is here")
    expectEqual(expansion.text(of: note.offset..<note.offset + 20), "Tables.Hash<Space.A>")
  }

  @Test("Two tables of one entity type are allowed if at most one is compiled")
  func exclusiveTables() {
    let table = { (name: String) in "@Table var \(name): Tables.Hash<A> = .init()" }
    let exclusive = "struct L {\n#if X\n\(table("a"))\n#else\n\(table("b"))\n#endif\n}"
    expectEqual(Expanding.members(exclusive).findings, [])
    let both = "struct L {\n#if X\n\(table("a"))\n#endif\n#if Y\n\(table("b"))\n#endif\n}"
    expectEqual(Expanding.members(both).findings.count, 1)
  }

  @Test("All problems are reported at once, and the valid parts are expanded")
  func several() {
    let expansion = Expanding.members(
      """
      struct L {
        var stray = 1, other: Int
        @Table var a: Tables.Hash<A> = .init()
        @Table lazy let b = 3
      }
      """)
    expectEqual(
      expansion.findings.map { $0.prefix { $0 != ":" } }, ["stray", "other", "lazy", "let", "b"])
    expectEqual(expansion.source?.contains(#"visitor.table("a", \.a)"#), true)
    expectEqual(expansion.source?.contains("stray"), false)
  }

  @Test("A private storage in another type cannot conform, which is reported at the modifier")
  func privateInside() {
    let expansion = Expanding.members("private struct L {}", in: ["enum E {}"])
    expectEqual(
      expansion.findings,
      [
        "private: a storage nested in another type must be visible in its file; make it 'fileprivate', "
          + "or write ': NormalizedStorageType' after its name"
      ])
    expectEqual(expansion.fixed, "fileprivate struct L {}")
    expectNil(expansion.source)
    expectEqual(Expanding.members("private struct L {}").findings, [])
    let conforming = "private struct L: P, NormalizedStorageType {}"
    expectEqual(Expanding.members(conforming, in: ["enum E {}"]).findings, [])
    // There is no snapshot to be read.
    let property = "@Table var a: Tables.Hash<A> = .init()"
    func accessor(in storage: String, _ contexts: String...) -> String? {
      Expanding.accessor(
        "TableMacro", property, in: ["@NormalizedStorage \(storage)"] + contexts
      ).source
    }
    expectNil(accessor(in: "private struct L {}", "enum E {}"))
    expectTrue(accessor(in: conforming, "enum E {}") != nil)
    expectTrue(accessor(in: "private struct L {}") != nil)
  }
}

@Suite("Diagnostics of the markers")
struct MarkerDiagnosticTests {
  private static let property = "  @Entia.Table var a: Tables.Hash<A> = .init()"

  @Test(
    "A marker outside of a storage's body is refused on its attribute",
    arguments: [
      [], ["struct L {}"], ["extension L {}"], ["func f() {}", "@NormalizedStorage struct L {}"],
      ["struct Nested {}", "@NormalizedStorage struct L {}"], ["???"],
    ])
  func outside(contexts: [String]) {
    let expansion = Expanding.accessor("TableMacro", Self.property, in: contexts)
    expectEqual(
      expansion.findings,
      [
        "@Entia.Table: '@Table' works only in the body of a struct marked '@NormalizedStorage'; "
          + "move this property there"
      ])
    expectNil(expansion.source)
  }

  @Test("A marker is accepted if the compiler sends no context")
  func unknownContext() {
    let expansion = Expanding.accessor("TableMacro", Self.property, in: nil)
    expectEqual(expansion.findings, [])
    expectEqual(expansion.source, "{\n  get { snapshot.contents.a }\n}")
  }

  @Test("A marker on a text that is not a declaration is refused")
  func noDeclaration() {
    let expansion = Expanding.accessor("IndexMacro", " /* c */ ??? ")
    expectEqual(
      expansion.findings,
      [
        "?: '@Index' marks a stored property, such as "
          + "'@Index var booksByYear: Indexes.Sorted<Book, Int> = .init(\\.year)'"
      ])
  }

  @Test(
    "Problems reported by the storage are not reported by the marker",
    arguments: [
      "@Table let a: T<A> = .init()", "@Table var a = T<A>()", "@Table var a: T<A>",
      "@Table var a: T<A> = .init(), b: T<B> = .init()", "@Table static var a: T<A> = .init()",
      "@Table var a: T<A> { .init() }", "@Index @Table var a: T<A> = .init()", "@Table func f() {}",
    ])
  func silent(property: String) {
    let expansion = Expanding.accessor("TableMacro", property)
    expectEqual(expansion.findings, [])
    expectNil(expansion.source)
  }

  @Test("A class is reported once, by the storage")
  func inClass() {
    let expansion = Expanding.accessor(
      "TableMacro", Self.property, in: ["@NormalizedStorage class L {}"])
    expectEqual(expansion.findings, [])
    expectNil(expansion.source)
  }

  @Test("An expansion in a role that a macro does not have is refused")
  func roles() {
    for macro in [
      "NormalizedStorageMacro", "TableMacro", "IndexMacro", "RelationshipMacro", "CheckMacro",
    ] {
      let expansion = MacroExpansion.expand(
        Expanding.request(macro, role: "peer", "@Table var a: T<A> = .init()"))
      expectEqual(
        expansion.findings,
        [
          "@: '\(macro)' has no 'peer' expansion; use the declarations that come with the same "
            + "version of Entia"
        ])
      expectNil(expansion.source)
    }
  }

  @Test("A macro that Entia does not have is refused")
  func unknownMacro() {
    let expansion = MacroExpansion.expand(Expanding.request("Other", role: "member", "struct L {}"))
    expectEqual(
      expansion.findings,
      [
        "@: Entia's compiler plugin has no macro 'Other'; use the declarations that come with the "
          + "same version of Entia"
      ])
    expectNil(expansion.source)
  }
}
