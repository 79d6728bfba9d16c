import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("@Entity")
struct EntityMacroTests {
  /// The lines of the expansion that contain a text, without their indentation.
  private func lines(_ source: String, with text: String) -> [String] {
    (Expanding.entity(source).source ?? "").split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { $0.contains(text) }.map(String.init)
  }

  /// How one member of an entity is read.
  private func reading(_ member: String) -> [String] {
    lines("struct Post { var id: Int { 1 }\n\(member) }", with: "= try row.")
  }

  /// How one member of an entity is written.
  private func writing(_ member: String) -> [String] {
    lines("struct Post { var id: Int { 1 }\n\(member) }", with: "try row.set")
  }

  @Test("The members are read, written and merged in their order")
  func whole() {
    let expansion = Expanding.entity(
      """
      /// A post.
      @Entity
      struct Post: Codable {
        let id: String
        var summary: String?
        @Stored("author") var authorID: Author.EntityID
        var kind: Kind = .text
        @Stored(renamedFrom: "name", "oldName") var subtitle: String = ""
        @Transient var isExpanded = false
      }
      """)
    expectEqual(expansion.findings, [])
    expectEqual(
      expansion.source,
      """
      nonisolated extension Post: EntiaDatabase.EntityType, Swift.Identifiable, EntiaDatabase.RowCodable, Swift.Decodable, Swift.Encodable {
        init(row: inout some EntiaDatabase.RowReader & ~Copyable) throws {
          self.id = try row.member("id")
          self.summary = try row.memberIfPresent("summary")
          self.authorID = try row.member("author")
          self.kind = try row.memberIfPresent("kind") ?? row.declared("kind", self.kind)
          self.subtitle = try row.memberIfPresent(row.name("subtitle", or: "name", "oldName")) ?? self.subtitle
        }

        func write(to row: inout some EntiaDatabase.RowWriter & ~Copyable) throws {
          try row.setMember("id", to: self.id)
          try row.setMember("summary", to: self.summary)
          try row.setMember("author", to: self.authorID)
          if row.isNil(self.kind) { try row.setNull("kind") } else { try row.setMember("kind", to: self.kind) }
          try row.setMember("subtitle", to: self.subtitle)
        }

        init(
          merging mine: borrowing Self, with theirs: borrowing Self, base: borrowing Self,
          by merger: inout EntiaDatabase.RowMerger
        ) {
          self.id = merger.merged("id", mine.id, theirs.id, base: base.id)
          self.summary = merger.merged("summary", mine.summary, theirs.summary, base: base.summary)
          self.authorID = merger.merged("author", mine.authorID, theirs.authorID, base: base.authorID)
          self.kind = merger.merged("kind", mine.kind, theirs.kind, base: base.kind)
          self.subtitle = merger.merged("subtitle", mine.subtitle, theirs.subtitle, base: base.subtitle)
          self.isExpanded = merger.merged("isExpanded", mine.isExpanded, theirs.isExpanded, base: base.isExpanded)
        }

        init(from decoder: any Swift.Decoder) throws {
          try self.init(rowFrom: decoder)
        }

        func encode(to encoder: any Swift.Encoder) throws {
          try encodeRow(to: encoder)
        }
      }
      """)
  }

  @Test(
    "A member is read with its declared value",
    arguments: [
      ("var a: Int", #"self.a = try row.member("a")"#),
      ("var a: Int?", #"self.a = try row.memberIfPresent("a")"#),
      ("let a: Optional<Int>", #"self.a = try row.memberIfPresent("a")"#),
      ("var a: Int? = nil", #"self.a = try row.memberIfPresent("a")"#),
      ("var a: Int? = .none", #"self.a = try row.memberIfPresent("a")"#),
      ("var a: Int!", #"self.a = try row.memberIfPresent("a")"#),
      ("var a: MaybeInt = nil", #"self.a = try row.member("a")"#),
      (
        "var a: Kind = .none",
        #"self.a = try row.memberIfPresent("a") ?? row.declared("a", self.a)"#
      ),
      ("var a: Int? = 3", #"if row.hasMember("a") { self.a = try row.memberIfPresent("a") }"#),
      (
        "var a = b ? 1 : 2", #"self.a = try row.memberIfPresent("a") ?? row.declared("a", self.a)"#
      ),
      ("var a: Int = 3 { didSet { b() } }", #"self.a = try row.memberIfPresent("a") ?? self.a"#),
      ("@Clamped(1, 2) private var a: Int", #"self.a = try row.member("a")"#),
      ("var `default`: Int", #"self.`default` = try row.member("default")"#),
      (
        #"@Stored("b", renamedFrom: "c") var a: Int"#,
        #"self.a = try row.member(row.name("b", or: "c"))"#
      ),
      (
        #"@Entia.Stored(renamedFrom: "c") var a: Int? = 1"#,
        #"if row.hasMember(row.name("a", or: "c")) "#
          + #"{ self.a = try row.memberIfPresent(row.name("a", or: "c")) }"#
      ),
    ])
  func reading(member: String, line: String) {
    expectEqual(reading(member), [line])
  }

  @Test("Declared values of wrapped properties are read when all properties have values")
  func wrapped() {
    expectEqual(
      reading("@Clamped var a = 1\n@Clamped var b: Int\nvar c = 2"),
      [
        #"self.b = try row.member("b")"#, #"self.c = try row.memberIfPresent("c") ?? self.c"#,
        #"self.a = try row.memberIfPresent("a") ?? self.a"#,
      ])
  }

  @Test("Only a nil that would be read as a declared value or by an old name is written as null")
  func nulls() {
    expectEqual(writing("var a: Int? = 1"), [#"try row.setNullableMember("a", to: self.a)"#])
    expectEqual(writing("var a: Int? = nil"), [#"try row.setMember("a", to: self.a)"#])
    expectEqual(writing("var a = 1"), [#"try row.setMember("a", to: self.a)"#])
    for members in ["", " = nil", " = 1"] {
      expectEqual(
        writing(#"@Stored("a", renamedFrom: "b") var c: Int?"# + members),
        [#"try row.setNullableMember("a", to: self.c)"#])
    }
    for member in [#"@Stored("a") var c: Int?"#, #"@Stored("a", renamedFrom: "b") var c: Int"#] {
      expectEqual(writing(member), [#"try row.setMember("a", to: self.c)"#])
    }
  }

  @Test(
    "A null of a type that may be an optional is no missing member",
    arguments: [
      (#"= URL(string: "a")"#, true), (#"= Int("3")"#, true), ("= [1, 2].first", true),
      ("= Optional(5)", true), ("= UUID(uuidString: b)", true), ("= .init()", true),
      (": MaybeInt = 4", true), (": A.Maybe = 4", true), (": Maybe<Int> = 4", true),
      (": some A = b", true), ("= 3", false), ("= \"b\"", false), ("= -1.5", false),
      ("= [1, 2]", false), ("= [:]", false), ("= Date()", false), ("= Set<Int>([1])", false),
      (": Int = 3", false), (": Swift.Int = 3", false), (": [Maybe] = []", false),
      (": Set<Maybe> = []", false), (": Foundation.URL = b", false), (": URL = b", false),
      (": Author.EntityID = b", false), (": EntityID = b", false),
    ])
  func inferredOptionals(declaration: String, mayBeOptional: Bool) {
    let member = "var a \(declaration)"
    let read = #"self.a = try row.memberIfPresent("a") ?? "#
    let write = #"try row.setMember("a", to: self.a)"#
    if mayBeOptional {
      expectEqual(reading(member), [read + #"row.declared("a", self.a)"#])
      expectEqual(
        writing(member), [#"if row.isNil(self.a) { try row.setNull("a") } else { \#(write) }"#])
    } else {
      expectEqual(reading(member), [read + "self.a"])
      expectEqual(writing(member), [write])
    }
    expectEqual(
      writing(#"@Stored("a", renamedFrom: "b") var a: Maybe"#),
      [#"if row.isNil(self.a) { try row.setNull("a") } else { \#(write) }"#])
    expectEqual(writing("var a: Maybe"), [write])
  }

  @Test("Transient members are merged last, when all other properties have values")
  func transientMembers() {
    expectEqual(
      lines(
        "struct Post { @Transient var a = 1\n@Clamped var b = 1\nlet id: Int }", with: "merged("),
      ["b", "id", "a"].map {
        "self.\($0) = merger.merged(\"\($0)\", mine.\($0), theirs.\($0), base: base.\($0))"
      })
  }

  @Test(
    "What is not stored in each row is left out",
    arguments: [
      "static var a = 1", "lazy var a = 1", "let a = 1", "let a: Int = 1", "var a: Int { 1 }",
      "var a: Int { get { 1 } set {} }", "let (a, b) = (1, 2)", "func a() {}",
      "struct A { var b: Int }",
      "@Transient var a = 1", "init() {}", "subscript(a: Int) -> Int { a }",
    ])
  func leftOut(member: String) {
    let source = "struct Post { var id: Int { 1 }\n\(member) }"
    expectEqual(Expanding.entity(source).findings, [])
    expectEqual(reading(member), [])
    expectEqual(writing(member), [])
  }

  @Test("One declaration may have several members")
  func several() {
    expectEqual(
      reading("var a, b: Int?, c = 1, d: Int"),
      [
        #"self.a = try row.memberIfPresent("a")"#, #"self.b = try row.memberIfPresent("b")"#,
        #"self.c = try row.memberIfPresent("c") ?? self.c"#, #"self.d = try row.member("d")"#,
      ])
  }

  @Test("Conditions around members are repeated")
  func conditions() {
    let members = "#if DEBUG && A\n var a = 1\n #else\n var b: Int\n #endif\n #if B\n #endif"
    let source = Expanding.entity("struct Post { let id: Int\n\(members)\n}").source ?? ""
    expectTrue(
      source.contains(
        """
            self.id = try row.member("id")
        #if DEBUG && A
            self.a = try row.memberIfPresent("a") ?? self.a
        #else
            self.b = try row.member("b")
        #endif
          }
        """))
    expectEqual(source.split(separator: "#endif").count, 4)
    let same = #"#if A\n@Stored("c") var a: Int\n#else\n@Stored("c") var b: Int\n#endif"#
      .replacing(#"\n"#, with: "\n")
    expectEqual(Expanding.entity("struct Post { let id: Int\n\(same)\n}").findings, [])
  }

  @Test("The compiler reports problems of generated code at the member")
  func lines() {
    var request = Expanding.request(
      "EntityMacro", role: "extension", "struct Post {\n  let id: Int\n}")
    request.declaration.line = 7
    expectEqual(
      MacroExpansion.expand(request).source?.contains(
        """
        #sourceLocation(file: "L.swift", line: 8)
            self.id = try row.member("id")
        #sourceLocation()
        """), true)
    request = Expanding.request(
      "EntityMacro", role: "member",
      "@Entity(id: \"a\", \"b\") struct Post {\n  let a: Int\n  let b: Int\n}")
    request.declaration.line = 7
    let source = MacroExpansion.expand(request).source ?? ""
    expectTrue(
      source.contains("line: 8)\nstruct ID: ") && source.contains("line: 9)\n  let b: Int"))
  }

  @Test("Functions that access a deprecated member are deprecated themselves")
  func deprecated() {
    let source = #"struct Post { let id: Int; @available(*, deprecated, message: "b") var a = 1 }"#
    expectEqual(Expanding.entity(source).source?.split(separator: "@available(*, dep").count, 4)
  }

  @Test("Only conformances that are missing are added")
  func conformances() {
    func head(_ source: String, _ missing: [String]) -> String? {
      let source = Expanding.entity(source, extending: "Blog.Post ", missing: missing).source
      return source?.split(separator: "\n").first.map(String.init)
    }
    expectEqual(
      head("struct Post { let id: Int }", ["RowCodable"]),
      "nonisolated extension Blog.Post: EntiaDatabase.RowCodable {")
    expectEqual(head("struct Post { let id: Int }", []), "nonisolated extension Blog.Post {")
    expectEqual(
      head("struct Post { var entityID: EntityID { .init(1) } }", ["EntityType", "Identifiable"]),
      "nonisolated extension Blog.Post: EntiaDatabase.EntityType {")
    // The `id` is in another file.
    expectEqual(
      head("struct Post {}", ["EntityType"]),
      "nonisolated extension Blog.Post: EntiaDatabase.EntityType {")
    expectEqual(
      head("@available(macOS 15, *) @Entity struct Post { let id: Int }", []),
      "@available(macOS 15, *)")
  }

  @Test(
    "The generated members are as visible as the struct",
    arguments: [
      ("struct Post", [], ""), ("public struct Post", [], "public "),
      ("package struct Post", [], "package "), ("private struct Post", [], "fileprivate "),
      ("fileprivate struct Post", ["struct Blog {}"], "fileprivate "),
      ("struct Post", ["enum Blog {}", "private enum Web {}"], "fileprivate "),
      ("struct Post", ["public extension Blog {}"], "public "),
      ("public struct Post", ["enum Blog {}"], ""),
      ("public struct Post", ["public enum Blog {}"], "public "),
      ("public struct Post", ["open class Blog {}"], "public "),
      ("public struct Post", ["package enum Blog {}"], "package "),
      ("package struct Post", ["public enum Blog {}", "struct Web {}"], ""),
      ("public struct Post", ["extension Blog {}"], "public "),
      ("public struct Post", ["struct Blog {}", "public extension Web {}"], "public "),
      ("public struct Post", ["struct Blog {}", "extension Web {}"], ""),
    ] as [(String, [String], String)])
  func access(head: String, contexts: [String], access: String) {
    let declaration = "@Entity(id: \"slug\") \(head) { let slug: String }"
    let source = Expanding.entity(declaration, in: contexts).source ?? ""
    for member in ["init(row", "func write", "init(\n"] {
      expectTrue(source.contains("\n  \(access)\(member)"))
    }
    let members = Expanding.entityMembers(declaration, in: contexts).source ?? ""
    for member in ["typealias EntityIDRawType", "var entityID", "var id"] {
      expectTrue("\n\(members)".contains("\n\(access)\(member)"))
    }
  }

  @Test("One property is the ID")
  func namedID() {
    func members(_ source: String) -> String? { Expanding.entityMembers(source).source }
    expectEqual(
      members(#"@Entity(id: "slug") struct Post { var slug = "a" }"#),
      """
      typealias EntityIDRawType = String

      var entityID: EntityID { EntityID(self.slug) }

      var id: String { self.slug }
      """)
    let other = #"@Entity(id: "slug") struct Post { let slug: ISBN; let id: Int }"#
    let head = "nonisolated extension Post: EntiaDatabase.EntityType, EntiaDatabase.Row"
    expectEqual(Expanding.entity(other).source?.hasPrefix(head), true)
    expectEqual(members(other)?.contains("var id"), false)
    expectEqual(members(#"@Entity(id: "id") struct Post { let id: Int }"#), "")
    expectEqual(members("@Entity struct Post { let id: Int }"), "")
    expectEqual(members("@Entity class Post { let id: Int }"), "")
  }

  @Test("Several properties are the ID")
  func compositeID() {
    let members = "{ public let shelf: Int; public var `in` = 1; let title: String }"
    expectEqual(
      Expanding.entityMembers(
        #"@Entity(id: "shelf", "in") public struct Post \#(members)"#
      ).source,
      """
      public struct ID: Swift.Hashable, Swift.Codable, Swift.Sendable {
        public let shelf: Int
        public let `in`: Int

        public init(shelf: Int, `in`: Int) {
          self.shelf = shelf
          self.`in` = `in`
        }
      }

      public var id: ID { ID(shelf: self.shelf, in: self.`in`) }
      """)
    let hidden = #"@Entity(id: "a", "b") public struct Post { let a: Int; private let b: Int }"#
    expectEqual(
      Expanding.entityMembers(hidden).source?.hasPrefix(
        """
        public struct ID: Swift.Hashable, Swift.Codable, Swift.Sendable {
          let a: Int
          private let b: Int

          fileprivate init(a: Int, b: Int) {
            self.a = a
            self.b = b
          }
        }
        """), true)
  }

  @Test("An ID of several properties has the names of rows, and reads older ones")
  func namesOfCompositeID() {
    func coding(_ members: String) -> [String] {
      let source = Expanding.entityMembers(
        #"@Entity(id: "a", "b") public struct Post { \#(members) }"#
      ).source
      return (source ?? "").split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init)
        .filter { $0.contains("case ") || $0.contains("members.") || $0.contains("init(a") }
    }
    expectEqual(coding("let a: Int; @Stored(\"b\") let b: Int"), [])
    expectEqual(
      coding(#"let a: Int; @Stored("x", renamedFrom: "y", "z") private let b: Int"#),
      [
        "fileprivate init(a: Int, b: Int) {",
        "self.a = try members.decode(Int.self, forKey: .name1)",
        "self.b = try members.decode(Int.self, forKey: "
          + "[CodingKeys.name2, .name3, .name4].first(where: members.contains) ?? .name2)",
        "try members.encode(self.a, forKey: .name1)", "try members.encode(self.b, forKey: .name2)",
        #"case name1 = "a""#, #"case name2 = "x""#, #"case name3 = "y""#, #"case name4 = "z""#,
      ])
    // Members that exchange their names.
    expectEqual(
      coding(#"@Stored("b") public let a: Int; @Stored("a") public let b: Int"#),
      [
        "public init(a: Int, b: Int) {",
        "self.a = try members.decode(Int.self, forKey: .name1)",
        "self.b = try members.decode(Int.self, forKey: .name2)",
        "try members.encode(self.a, forKey: .name1)", "try members.encode(self.b, forKey: .name2)",
        #"case name1 = "b""#, #"case name2 = "a""#,
      ])
  }
}
