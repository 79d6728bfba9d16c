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

          static var entityIDPaths: [AnyKeyPath] {
            var paths: [AnyKeyPath] = []
            paths.append(\Author.entityID)
            paths.append(\Book.entityID)
            return paths
          }

          private static func oneTableForEachEntity(_: Author.Type) {}
          private static func oneTableForEachEntity(_: Book.Type) {}
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

          public static var entityIDPaths: [AnyKeyPath] {
            var paths: [AnyKeyPath] = []
            paths.append(\Author.entityID)
            return paths
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

          static var entityIDPaths: [AnyKeyPath] {
            var paths: [AnyKeyPath] = []
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

          private static func oneTableForEachEntity(_: A.Type) {}
        #if DEBUG
          private static func oneTableForEachEntity(_: B.Type) {}
        #if os(Linux) && canImport(Glibc)
          private static func oneTableForEachEntity(_: C.Type) {}
        #endif
        #elseif RELEASE
        #else
          private static func oneTableForEachEntity(_: B.Type) {}
        #endif
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

  @Test(
    "A storage in which no part can refuse has no refusal",
    arguments: [
      (#"@Table var a: Tables.Hash<A> = .init()"#, false),
      (#"@Table var a: T = .init()"#, false),
      (#"@Check var a: Checks.Entity<A> = .init("b") { $0.c }"#, true),
      (#"@Index var a: Indexes.Unique<A, Int> = .init(\.a)"#, true),
      (#"@Index var a: Indexes.Sorted<A, Int> = .init(\.a)"#, false),
      (#"@Index var a: Indexes.Sorted<A, Int> = sorted"#, false),
      (#"@Index var a: Entia.Indexes.Hash<A, Int> = .init(\.a)"#, false),
      (#"@Index var a: Indexes . GroupBy<A, Int> = .init(\.a)"#, false),
      (#"@Index var a: Indexes.OrderedID<A> = .init()"#, false),
      (#"@Index var a: Indexes.Set<A> = .init()"#, false),
      (#"@Index var a = Indexes.Sorted(by: \A.b, .descending(\.c))"#, false),
      (#"@Index var a = Indexes.Unique(\A.b)"#, true),
      (#"@Index var a: Sorted<A, Int> = .init(\.a)"#, true),
      (#"@Index var a: Other.Sorted<A, Int> = .init(\.a)"#, true),
      (#"@Index var a: Indexes.Sorted<A, Int>.Other = .init(\.a)"#, true),
      (#"@Index var a: Indexes.Later<A> = .init(\.a)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: .deny)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: .cascade)"#, false),
      (#"@Relationship var a: Entia.ToOne<A, B> = .init(\.b, onDelete: .nullify)"#, false),
      (#"@Relationship var a: ToMany<A, B> = ToMany<A, B>(\.b, onDelete: .nullify)"#, false),
      (#"@Relationship var a: ToMany<A, B> = ToMany<A, B>.init(\.b, onDelete: .cascade)"#, false),
      (#"@Relationship var a: ToMany<A, B> = .init(\.b, onDelete: .keepDangling)"#, false),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: DeleteRule.cascade)"#, false),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: Rules.cascade)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: rule)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: x ? .deny : .cascade)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: .cascade).required()"#, true),
      (#"@Relationship var a: ToMany<A, B> = .init(\.b, onDelete: .cascade, count: 1...)"#, true),
      (#"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: .cascade, later: 1)"#, true),
      (#"@Relationship var a: ToOne<A, B> = make(\.b, onDelete: .cascade)"#, true),
      (#"@Relationship var a: ToOne<A, B> = rule"#, true),
      (#"@Relationship var a: Named = .init(\.b, onDelete: .cascade)"#, true),
      (
        #"@Relationship var a: ToOne<A, B> = .init(\.b, onDelete: .cascade, onHolderDelete: .cascade)"#,
        false
      ),
      (
        #"@Relationship var a: ToOne<A, B> = .init(\.b, id: { $0.c(1, 2) }, onDelete: .nullify)"#,
        false
      ),
      (
        #"@Relationship var a: ToOne<A, B> = .init(\.b, id: \.c, nothing: .d, onDelete: .nullify)"#,
        false
      ),
      ("func finalizeTransaction(_ c: inout C) throws {}", true),
      ("func finalizeTransaction(_ c: inout C) {}", false),
      ("#if A\n@Index var a: Indexes.Unique<A, Int> = .init(\\.a)\n#endif", true),
    ])
  func refusingParts(member: String, canRefuse: Bool) {
    let expansion = Expanding.members("struct L {\n\(member)\n}")
    #expect(expansion.findings == [])
    #expect(expansion.source?.contains("typealias Refusal = any Error") == canRefuse)
  }

  @Test(
    "An initializer of the user's own is joined by the one without parameters",
    arguments: [
      ("public init(rows: [Int]) {}", true), ("init(a: A) {}\ninit<T>() {}", true),
      ("init() {}", false), ("init(a: A) {}\ninit ( /* none */ ) {}", false),
    ])
  func ownInitializer(members: String, isGenerated: Bool) {
    for access in ["", "public "] {
      let source = Expanding.members("\(access)struct L {\n\(members)\n}").source
      #expect(source?.hasSuffix("\n\n\(access)init() {}") == isGenerated)
    }
  }

  @Test("The type checker is given every table, and what needs one that no table shows")
  func tableDeclarations() {
    var request = Expanding.request(
      "NormalizedStorageMacro", role: "member",
      #"""

      struct L {
        @Table var a: Tables.Hash<A> = .init()
        @Table var b: Rows = .init()
        @Relationship var c: ToOne<A, C> = .init(\.d, onDelete: .cascade)
        @Relationship var e: Named = .init(\.e, onDelete: .cascade)
        #if F
        @Check var f: Checks.Entity<D> = .init("g") { $0.h }
        @Check var g: Checks.Batch<L> = .init("g") { $0.h }
        #endif
      }
      """#)
    request.declaration.fileName = "/a \"b\"/L.swift"
    request.declaration.line = 7
    let source = MacroExpansion.expand(request).source
    #expect(
      source?.contains(
        #"""
        #sourceLocation(file: "/a \"b\"/L.swift", line: 9)
          private static func oneTableForEachEntity(_: A.Type) {}
        #sourceLocation()
        #sourceLocation(file: "/a \"b\"/L.swift", line: 10)
          private static func oneTableForEachEntity(_: Rows.Entity.Type) {}
        #sourceLocation()
        #if F
        #endif
          @available(*, unavailable, message: "a part is of an entity type that has no table in this storage; add its table")
          private static func oneTableForEachEntity<Row: EntityType>(_: Row.Type, _: Void = ()) {}
          @available(*, unavailable, message: "'C' has no table in this storage; add '@Table var rows: Tables.Hash<C> = .init()'")
          private static func oneTableForEachEntity(_: C.Type, _: Void = ()) {}

          private static func requireTables() {
        #sourceLocation(file: "/a \"b\"/L.swift", line: 11)
            oneTableForEachEntity(C.self)
        #sourceLocation()
        #sourceLocation(file: "/a \"b\"/L.swift", line: 12)
            oneTableForEachEntity(Named.Holder.self)
        #sourceLocation(file: "/a \"b\"/L.swift", line: 12)
            oneTableForEachEntity(Named.Target.self)
        #sourceLocation()
        #if F
        #sourceLocation(file: "/a \"b\"/L.swift", line: 14)
            oneTableForEachEntity(D.self)
        #sourceLocation()
        #endif
          }
        """#
      ) == true)
  }

  @Test("The type of an index may be left out where its value names it")
  func inferredIndex() {
    let expansion = Expanding.members(
      #"struct L { @Index var a = Indexes.Sorted(by: \A.b, .descending(\.c)) }"#)
    #expect(expansion.findings == [])
    #expect(
      expansion.source?.contains("  var a = Indexes.Sorted(by: \\A.b, .descending(\\.c))\n") == true
    )
    let property = Expanding.accessor(
      "IndexMacro", #"@Index var a = Indexes.Sorted(by: \A.b, .descending(\.c))"#)
    #expect(property.source == "{\n  get { snapshot.contents.a }\n}")
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
