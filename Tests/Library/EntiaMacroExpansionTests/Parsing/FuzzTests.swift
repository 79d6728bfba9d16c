import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Damaged input")
struct FuzzTests {
  private static let declarations = [
    ##"""
    /// Doc /* nested */ comment
    @NormalizedStorage
    public struct Library<Element: P>: Q, @unchecked Sendable where Element: Hashable {
      @Table public var authors: Tables.Hash<Author> = .init()
      @Index private var authorEmail: Indexes.Unique<Author, String?> = .init(\.email)
      #if os(Linux) && !DEBUG
        @Relationship var bookAuthor: ToOne<Book, Author> = .init(\.authorID, onDelete: .cascade)
      #elseif X
        @Table var more: Tables.Hash<Author>, two = make { $0 } done: { "\($0)" }
      #endif
      let raw = #"raw "\#(x)" "#, many = """
        lines \(a + "b\(c)")
        """
      var computed: [Int: String] { get { [1: /a(b)/.c] } set throws(E) { } }
      static func < (a: Self, b: Self) -> Bool { a.x < b.y }
      func finalizeTransaction(_ c: inout C) throws(Refused<Int>) { if a { b } else { c } }
    }
    """##,
    #"@Table @Entia.Index public private(set) lazy var `größe`: A<B>? = a ? b : c as? D { didSet {} }"#,
    ##"""
    @available(macOS 15, *) @Entity(id: "shelf", "position") public struct Place<Value: P>: Q {
      @Stored("s", renamedFrom: "old", "older") public let shelf: Int
      var position = 1, x, y: Optional<Int>
      #if DEBUG
        @Transient var isOpen = a ? b : c
        @Stored(renamedFrom: "d\(e)") var d: Int? = if f { 1 } else { 2 } { didSet {} }
      #endif
      let constant = 5, (g, h) = i
    }
    """##,
    "public extension A<B>.C: D where E == F { enum G { case h(Int = 1) } }",
  ]

  @Test("Damaged declarations do not stop the plugin, and all ranges are inside them")
  func damagedDeclarations() {
    for seed in 0..<UInt64(170 * testScale) {
      var generator = SeededGenerator(seed: seed)
      let original = Self.declarations[Int(seed) % Self.declarations.count]
      let source = String(decoding: Array(original.utf8).damaged(&generator), as: UTF8.self)
      let expansions = [
        Expanding.members(source, in: [source]),
        Expanding.conformance(source, extending: source, missing: source),
        Expanding.accessor("TableMacro", source),
        Expanding.accessor("IndexMacro", source, in: [source]),
        Expanding.entity(source, extending: source, in: [source]),
        Expanding.entityMembers(source, in: [source]),
        MacroExpansion.expand(Expanding.request("StoredMacro", role: "peer", source)),
      ]
      let whole = 0...source.utf8.count
      for diagnostic in expansions.flatMap(\.diagnostics) {
        let offsets =
          [diagnostic.range.lowerBound, diagnostic.range.upperBound]
          + diagnostic.notes.map(\.offset)
          + diagnostic.fixIts.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        expectTrue(offsets.allSatisfy(whole.contains), "seed \(seed)")
      }
    }
  }

  @Test("Every prefix of a declaration is expanded, or every third one, unless tests are scaled")
  func truncations() {
    let step = testScale > 1 ? 1 : 3
    for declaration in Self.declarations {
      let bytes = Array(declaration.utf8)
      for length in stride(from: 0, through: bytes.count, by: step) {
        let source = String(decoding: bytes[..<length], as: UTF8.self)
        for expansion in [Expanding.members(source), Expanding.entity(source)] {
          expectTrue(expansion.source != nil || !expansion.diagnostics.isEmpty, "length \(length)")
        }
      }
    }
  }

  @Test("Every damaged message has an answer that is JSON")
  func damagedMessages() throws {
    let message = MessageWriter.write([
      "expandAttachedMacro": [
        "macro": ["moduleName": "EntiaMacros", "typeName": "NormalizedStorageMacro"],
        "macroRole": "member",
        "attributeSyntax": ["source": "@NormalizedStorage", "location": ["offset": 3]],
        "declSyntax": [
          "source": .string(Self.declarations[0]),
          "location": ["fileName": "a.swift", "offset": 3, "line": 1, "column": 1],
        ],
        "lexicalContext": [["source": "public enum E {}"], ["source": 3]],
      ]
    ])
    for seed in 0..<UInt64(170 * testScale) {
      var generator = SeededGenerator(seed: seed)
      let answer = try MessageParser.parse(MessageHandler.answer(message.damaged(&generator)))
      expectTrue(answer["expandMacroResult"]?["diagnostics"] != nil, "seed \(seed)")
    }
  }

  @Test("Random bytes have an answer")
  func noise() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<340 * testScale {
      let count = Int.random(in: 0...200, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let answer = try MessageParser.parse(MessageHandler.answer(bytes))
      expectEqual(answer["expandMacroResult"]?["diagnostics"]?.elements?.count, 1)
      _ = Expanding.members("struct L { \(String(decoding: bytes, as: UTF8.self)) }")
    }
  }
}
