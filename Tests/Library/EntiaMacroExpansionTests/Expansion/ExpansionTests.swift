import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Expansion of @NormalizedStorage")
struct ExpansionTests {
  @Test("Tables, indexes and relationships become the contents, their visit and the snapshot")
  func everyPart() {
    let expansion = Expanding.members(
      #"""
      @NormalizedStorage
      struct Library {
        @Table var authors: Tables.Hash<Author> = .init()
        @Table var books: Tables.Hash<Book> = .init()
        @Index var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
        @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
        @Check var titles: Checks.Entity<Book> = .init("a title is there") { $0.title != "" }
      }
      """#)
    expectEqual(expansion.findings, [])
    expectEqual(
      expansion.source,
      #"""
      struct Contents: EntiaDatabase.StorageContents {
        var authors: Tables.Hash<Author> = .init()
        var books: Tables.Hash<Book> = .init()
        var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
        var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
        var titles: Checks.Entity<Book> = .init("a title is there") { $0.title != "" }

        init() {}

        static func visitParts<Visitor: EntiaDatabase.StorageVisitor>(
          _ visitor: inout Visitor
        ) where Visitor.Contents == Self {
          visitor.table("authors", \.authors)
          visitor.table("books", \.books)
          visitor.index("authorEmail", \.authorEmail)
          visitor.relationship("bookAuthor", \.bookAuthor)
          visitor.check("titles", \.titles)
        }

        static var entityIDPaths: [Swift.AnyKeyPath] {
          var paths: [Swift.AnyKeyPath] = []
          paths.append(\Author.entityID)
          paths.append(\Book.entityID)
          return paths
        }

        private static func table(of _: Author.Type) {}
        private static func table(of _: Book.Type) {}
      }

      var snapshot: EntiaDatabase.Snapshot<Contents> = .init(Contents())

      typealias Refusal = any Swift.Error
      """#)
  }

  @Test("Conditions around properties are kept around the generated code")
  func conditions() {
    let expansion = Expanding.members(
      """
      struct L {
        @Table var a: Tables.Hash<A> = .init()
      #if DEBUG  // while we look
        @Table var b: Tables.Hash<B> = .init()
        #if os(Linux) && canImport(Glibc)
          @Table var c: Tables.Hash<C> = .init()
        #endif
      #elseif RELEASE
      #else
        @Table var d: Tables.Hash<B> = .init()
      #endif
      #if OTHER
        func f() {}
      #endif
      }
      """)
    expectEqual(expansion.findings, [])
    expectEqual(
      expansion.source,
      #"""
      struct Contents: EntiaDatabase.StorageContents {
        var a: Tables.Hash<A> = .init()
      #if DEBUG
        var b: Tables.Hash<B> = .init()
      #if os(Linux) && canImport(Glibc)
        var c: Tables.Hash<C> = .init()
      #endif
      #elseif RELEASE
      #else
        var d: Tables.Hash<B> = .init()
      #endif

        init() {}

        static func visitParts<Visitor: EntiaDatabase.StorageVisitor>(
          _ visitor: inout Visitor
        ) where Visitor.Contents == Self {
          visitor.table("a", \.a)
      #if DEBUG
          visitor.table("b", \.b)
      #if os(Linux) && canImport(Glibc)
          visitor.table("c", \.c)
      #endif
      #elseif RELEASE
      #else
          visitor.table("d", \.d)
      #endif
        }

        static var entityIDPaths: [Swift.AnyKeyPath] {
          var paths: [Swift.AnyKeyPath] = []
          paths.append(\A.entityID)
      #if DEBUG
          paths.append(\B.entityID)
      #if os(Linux) && canImport(Glibc)
          paths.append(\C.entityID)
      #endif
      #elseif RELEASE
      #else
          paths.append(\B.entityID)
      #endif
          return paths
        }

        private static func table(of _: A.Type) {}
      #if DEBUG
        private static func table(of _: B.Type) {}
      #if os(Linux) && canImport(Glibc)
        private static func table(of _: C.Type) {}
      #endif
      #elseif RELEASE
      #else
        private static func table(of _: B.Type) {}
      #endif
      }

      var snapshot: EntiaDatabase.Snapshot<Contents> = .init(Contents())
      """#)
  }

  @Test("A storage without parts is a storage")
  func empty() {
    expectEqual(
      Expanding.members("@NormalizedStorage struct L {}").source,
      """
      struct Contents: EntiaDatabase.StorageContents {
        init() {}

        static func visitParts<Visitor: EntiaDatabase.StorageVisitor>(
          _ visitor: inout Visitor
        ) where Visitor.Contents == Self {
        }
      }

      var snapshot: EntiaDatabase.Snapshot<Contents> = .init(Contents())
      """)
  }

  @Test("Names keep their backticks in code and have none as text")
  func quotedNames() {
    let expansion = Expanding.members(
      #"struct L { @Table var `default`: T<A> = .init(); @Table var `a "b"`: T<B> = .init() }"#)
    expectEqual(expansion.source?.contains("  var `default`: T<A> = .init()"), true)
    expectEqual(expansion.source?.contains(#"visitor.table("default", \.`default`)"#), true)
    expectEqual(expansion.source?.contains(#"visitor.table("a \"b\"", \.`a "b"`)"#), true)
  }

  @Test("Types and values are copied as they are written")
  func verbatim() {
    let expansion = Expanding.members(
      #"""
      struct L {
        @Index var email: Indexes.Unique<A, String?> = .init { row in
          // a } in a comment
          row.email.map { "\($0) }" }
        }
        @Table /* rows */ var rows :Tables . Hash< Row >=.init() // all of them
      }
      """#)
    let expected = #"""
        var email: Indexes.Unique<A, String?> = .init { row in
          // a } in a comment
          row.email.map { "\($0) }" }
        }
        var rows: Tables . Hash< Row > = .init()

      """#
    expectEqual(expansion.findings, [])
    expectEqual(expansion.source?.contains(expected), true)
  }

  @Test("Unmarked computed and static members are unchanged")
  func othersAreAllowed() {
    let expansion = Expanding.members(
      """
      struct L: P {
        static let shared = L()
        static var count: Int = 0
        var total: Int { 1 }
        var first: Int { get { 1 } set { } }
        func snapshot(of: Int) -> Int { let local = 3; return local }
        struct Nested { var x = 1 }
        typealias Row = Int
        subscript(i: Int) -> Int { i }
      }
      """)
    expectEqual(expansion.findings, [])
    expectEqual(expansion.source, Expanding.members("struct L {}").source)
  }

  @Test(
    "The initializer without parameters is added to the user's own ones",
    arguments: [
      ("public init(rows: [Int]) {}", true), ("init(a: A) {}\ninit<T>() {}", true),
      ("init() {}", false), ("init(a: A) {}\ninit ( /* none */ ) {}", false),
    ])
  func ownInitializer(members: String, isGenerated: Bool) {
    for access in ["", "public "] {
      let source = Expanding.members("\(access)struct L {\n\(members)\n}").source
      expectEqual(source?.hasSuffix("\n\n\(access)init() {}"), isGenerated)
    }
  }

  @Test("Self in a part is the storage, also in its contents")
  func selfType() {
    let expansion = Expanding.members(
      #"""
      struct `L` {
        @Table var a: Tables.Hash<Self.A> = .init()
        @Table var b: Tables.Hash<L.B> = .init()
        @Check var c: Checks.Entity<Self.A> = .init("Self") { $0.b > Self.minimum }
      }
      """#)
    expectEqual(expansion.findings, [])
    let source = expansion.source ?? ""
    for line in [
      "var a: Tables.Hash<`L`.A> = .init()", "paths.append(\\`L`.A.entityID)",
      #"var c: Checks.Entity<`L`.A> = .init("Self") { $0.b > `L`.minimum }"#,
    ] { expectTrue(source.contains(line), "\(source)") }
  }

  @Test("The type of an index may be omitted if its value has it")
  func inferredIndex() {
    let expansion = Expanding.members(
      #"struct L { @Index var a = Indexes.Sorted(by: \A.b, .descending(\.c)) }"#)
    expectEqual(expansion.findings, [])
    expectEqual(
      expansion.source?.contains("  var a = Indexes.Sorted(by: \\A.b, .descending(\\.c))\n"), true)
    let property = Expanding.accessor(
      "IndexMacro", #"@Index var a = Indexes.Sorted(by: \A.b, .descending(\.c))"#)
    expectEqual(property.source, "{\n  get { snapshot.contents.a }\n}")
  }

  @Test("The extension adds the conformance to the type of the request if it is missing")
  func conformance() {
    let source = "@NormalizedStorage struct L {}"
    expectEqual(
      Expanding.conformance(source, extending: " Outer.L ").source,
      "nonisolated extension Outer.L: EntiaDatabase.NormalizedStorageType {}")
    expectEqual(
      Expanding.conformance("struct L<T> {}", extending: "L<T>").source,
      "nonisolated extension L<T>: EntiaDatabase.NormalizedStorageType {}")
    expectEqual(Expanding.conformance(source, extending: "L", missing: nil).source, "")
    expectEqual(Expanding.conformance(source, extending: "L", missing: "struct P {}").source, "")
    expectEqual(Expanding.conformance("class L {}", extending: "L").source, "")
    expectEqual(Expanding.conformance("struct L { struct Contents {} }", extending: "L").source, "")
  }

  @Test("A marked property reads the snapshot")
  func accessors() {
    let table = Expanding.accessor("TableMacro", "\n  @Table var a: T<A> = .init()")
    expectEqual(table.source, "{\n  get { snapshot.contents.a }\n}")
    expectEqual(table.findings, [])
    let index = Expanding.accessor(
      "IndexMacro", #"@Index public var `in`: I<A> = .init(\.b)"#,
      in: ["@NormalizedStorage public struct L {}", "public enum E {}"])
    expectEqual(index.source, "{\n  @inlinable get { snapshot.contents.`in` }\n}")
    let relationship = Expanding.accessor(
      "RelationshipMacro", #"@Relationship public var r: ToOne<A, B> = .init(\.b)"#,
      in: ["@Entia.NormalizedStorage public struct L {}", "enum E {}"])
    expectEqual(relationship.source, "{\n  get { snapshot.contents.r }\n}")
    expectEqual(relationship.findings, [])
  }
}
