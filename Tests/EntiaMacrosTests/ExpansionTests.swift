import Testing

@testable import EntiaMacros

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
    #expect(expansion.findings == [])
    #expect(
      expansion.source == #"""
        struct Contents: StorageContents {
          var authors: Tables.Hash<Author> = .init()
          var books: Tables.Hash<Book> = .init()
          var authorEmail: Indexes.Unique<Author, String> = .init(\.email)
          var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
          var titles: Checks.Entity<Book> = .init("a title is there") { $0.title != "" }

          init() {}

          static func visitParts<Visitor: StorageVisitor>(
            _ visitor: inout Visitor
          ) where Visitor.Contents == Self {
            visitor.table("authors", \.authors)
            visitor.table("books", \.books)
            visitor.index("authorEmail", \.authorEmail)
            visitor.relationship("bookAuthor", \.bookAuthor)
            visitor.check("titles", \.titles)
          }
        }

        var snapshot: Snapshot<Contents> = Snapshot(Contents())

        typealias Refusal = any Error
        """#)
  }

  @Test("A public storage is public all through, and its visit can be inlined")
  func publicStorage() {
    let expansion = Expanding.members(
      """
      /// What the app knows.
      @NormalizedStorage
      public struct Library: Codable {
        /// Who writes.
        @Table public var authors: Tables.Hash<Author> = .init()
      }
      """)
    #expect(expansion.findings == [])
    #expect(
      expansion.source == #"""
        public struct Contents: StorageContents {
          public var authors: Tables.Hash<Author> = .init()

          public init() {}

          @inlinable
          public static func visitParts<Visitor: StorageVisitor>(
            _ visitor: inout Visitor
          ) where Visitor.Contents == Self {
            visitor.table("authors", \.authors)
          }
        }

        public var snapshot: Snapshot<Contents> = Snapshot(Contents())

        public init() {}
        """#)
  }

  @Test("Conditions around properties stay around what is made of them")
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
    #expect(expansion.findings == [])
    #expect(
      expansion.source == #"""
        struct Contents: StorageContents {
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

          static func visitParts<Visitor: StorageVisitor>(
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
        }

        var snapshot: Snapshot<Contents> = Snapshot(Contents())
        """#)
  }

  @Test("A storage without parts is a storage")
  func empty() {
    #expect(
      Expanding.members("@NormalizedStorage struct L {}").source == """
        struct Contents: StorageContents {
          init() {}

          static func visitParts<Visitor: StorageVisitor>(
            _ visitor: inout Visitor
          ) where Visitor.Contents == Self {
          }
        }

        var snapshot: Snapshot<Contents> = Snapshot(Contents())
        """)
  }

  @Test("Each property keeps its access, except that private ones are seen from the storage")
  func propertyAccess() throws {
    let expansion = Expanding.members(
      """
      package struct L {
        @Table private var a: Tables.Hash<A> = .init()
        @Table fileprivate var b: Tables.Hash<B> = .init()
        @Table package var c: Tables.Hash<C> = .init()
        @Table public var d: Tables.Hash<D> = .init()
        @Table internal var e: Tables.Hash<E> = .init()
        @Table var f: Tables.Hash<F> = .init()
      }
      """)
    let lines = try #require(expansion.source).split(separator: "\n")
    #expect(
      lines.prefix(8) == [
        "package struct Contents: StorageContents {",
        "  fileprivate var a: Tables.Hash<A> = .init()",
        "  fileprivate var b: Tables.Hash<B> = .init()",
        "  package var c: Tables.Hash<C> = .init()",
        "  public var d: Tables.Hash<D> = .init()",
        "  internal var e: Tables.Hash<E> = .init()",
        "  var f: Tables.Hash<F> = .init()",
        "  package init() {}",
      ])
    #expect(!lines.contains("  @inlinable"))
    #expect(lines.suffix(2).first?.hasPrefix("package var snapshot") == true)
    #expect(lines.last == "package init() {}")
  }

  @Test(
    "Access follows from where the storage stands",
    arguments: [
      ("struct L", [], "struct"), ("private struct L", [], "struct"),
      ("fileprivate struct L", ["enum E {}"], "struct"),
      ("public struct L", ["enum E {}"], "public struct"),
      ("struct L", ["public extension E {}"], "public struct"),
      ("struct L", ["package extension E<Int>.F where A: B {}"], "package struct"),
      ("internal struct L", ["public extension E {}"], "struct"),
      ("struct L", ["extension E {}", "public extension F {}"], "struct"),
      ("struct L", ["public enum E {}"], "struct"),
    ] as [(String, [String], String)])
  func storageAccess(head: String, contexts: [String], expected: String) {
    let source = Expanding.members("\(head) {}", in: contexts).source
    #expect(source?.hasPrefix("\(expected) Contents") == true)
  }

  @Test("Inlinable code is only written where all around is plainly public")
  func inlinable() {
    let parts = "@Table public var a: Tables.Hash<A> = .init()"
    func isInlinable(_ head: String, _ contexts: [String], _ parts: String) -> Bool {
      Expanding.members("\(head) { \(parts) }", in: contexts).source?.contains("@inlinable") == true
    }
    #expect(isInlinable("public struct L", [], parts))
    #expect(isInlinable("public struct L", ["public enum E {}"], parts))
    #expect(!isInlinable("public struct L", ["enum E {}"], parts))
    #expect(!isInlinable("public struct L", ["public extension E {}"], parts))
    #expect(!isInlinable("struct L", [], parts))
    #expect(!isInlinable("public struct L", [], "@Table var a: Tables.Hash<A> = .init()"))
  }

  @Test("Names in backticks keep them in code and lose them as text")
  func quotedNames() {
    let expansion = Expanding.members(
      #"struct L { @Table var `default`: T<A> = .init(); @Table var `a "b"`: T<B> = .init() }"#)
    #expect(expansion.source?.contains("  var `default`: T<A> = .init()") == true)
    #expect(expansion.source?.contains(#"visitor.table("default", \.`default`)"#) == true)
    #expect(expansion.source?.contains(#"visitor.table("a \"b\"", \.`a "b"`)"#) == true)
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
    #expect(expansion.findings == [])
    #expect(expansion.source?.contains(expected) == true)
  }

  @Test("What is not marked and not stored is left alone")
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
    #expect(expansion.findings == [])
    #expect(expansion.source == Expanding.members("struct L {}").source)
  }

  @Test(
    "The refusal is the user's own where there is one",
    arguments: [
      ("", true),
      ("func finalizeTransaction(_ c: inout C) throws {}", true),
      ("func finalizeTransaction(_ c: inout C) throws(Full) { throw Full() }", false),
      ("typealias Refusal = Full", false),
      ("enum Refusal: Error {}", false),
      ("func other() throws(Full) {}", true),
      ("func finalizeTransaction(_ c: () throws(A) -> Void) {}", true),
    ])
  func refusal(member: String, isGenerated: Bool) {
    let index = #"@Index var a: Indexes.Unique<A, Int> = .init(\.a)"#
    let source = Expanding.members("struct L {\n\(index)\n\(member)\n}").source
    #expect(source?.contains("typealias Refusal = any Error") == isGenerated)
  }

  @Test("An initializer of the user's own is the only one")
  func ownInitializer() {
    let expansion = Expanding.members("public struct L { public init(rows: [Int]) {} }")
    #expect(expansion.source?.hasSuffix("Snapshot(Contents())") == true)
  }

  @Test("The extension conforms what the compiler says, when the conformance is missing")
  func conformance() {
    let source = "@NormalizedStorage struct L {}"
    #expect(
      Expanding.conformance(source, extending: " Outer.L ").source
        == "extension Outer.L: NormalizedStorageType {}")
    #expect(
      Expanding.conformance("struct L<T> {}", extending: "L<T>").source
        == "extension L<T>: NormalizedStorageType {}")
    #expect(Expanding.conformance(source, extending: "L", missing: nil).source == "")
    #expect(Expanding.conformance(source, extending: "L", missing: "struct P {}").source == "")
    #expect(Expanding.conformance("class L {}", extending: "L").source == "")
    #expect(Expanding.conformance("struct L { struct Contents {} }", extending: "L").source == "")
  }

  @Test("A marked property reads the snapshot")
  func accessors() {
    let table = Expanding.accessor("TableMacro", "\n  @Table var a: T<A> = .init()")
    #expect(table.source == "{\n  get { snapshot.contents.a }\n}")
    #expect(table.findings == [])
    let index = Expanding.accessor(
      "IndexMacro", #"@Index public var `in`: I<A> = .init(\.b)"#,
      in: ["@NormalizedStorage public struct L {}", "public enum E {}"])
    #expect(index.source == "{\n  @inlinable get { snapshot.contents.`in` }\n}")
    let relationship = Expanding.accessor(
      "RelationshipMacro", #"@Relationship public var r: ToOne<A, B> = .init(\.b)"#,
      in: ["@Entia.NormalizedStorage public struct L {}", "enum E {}"])
    #expect(relationship.source == "{\n  get { snapshot.contents.r }\n}")
    #expect(relationship.findings == [])
  }
}
