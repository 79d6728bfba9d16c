import Testing

@testable import EntiaMacroExpansion

@Suite("@Transient")
struct TransientMacroTests {
  private func expand(
    _ role: String, _ source: String,
    in contexts: [String]? = ["struct Book: EntityType {}"]
  ) -> MacroExpansion {
    MacroExpansion.expand(
      Expanding.request("TransientMacro", role: role, source, in: contexts))
  }

  @Test("The property reads and writes a stored member")
  func accessors() {
    let expansion = expand("accessor", "@Transient var isExpanded = false")
    #expect(
      expansion.source == """
        {
          @storageRestrictions(initializes: _isExpanded)
          init(initialValue) { _isExpanded = .init(initialValue) }
          get { _isExpanded.value }
          _modify { yield &_isExpanded.value }
        }
        """)
    #expect(expansion.diagnostics.isEmpty)
  }

  @Test("The stored member has the declared value")
  func storage() {
    #expect(
      expand("peer", "@Transient public private(set) var `default`: [Int] = [1, 2]").source == """
        private var _default: EntiaDatabase.TransientMember<defaultTransientDefault>
        private enum defaultTransientDefault: EntiaDatabase.TransientMemberDefault {
          static var value: [Int] { [1, 2] }
        }
        """)
    #expect(
      expand("peer", "@Transient var `is open` = true").source == """
        private var `_is open`: EntiaDatabase.TransientMember<`is openTransientDefault`>
        private enum `is openTransientDefault`: EntiaDatabase.TransientMemberDefault {
          static var value: Bool { true }
        }
        """)
  }

  @Test(
    "Literals and optionals need less",
    arguments: [
      ("a = true", "Bool { true }"), ("a = -1", "Int { -1 }"), ("a = 1.5", "Double { 1.5 }"),
      ("a = 0x1e", "Int { 0x1e }"), ("a = 1e3", "Double { 1e3 }"),
      ("a = \"b\"", "String { \"b\" }"),
      ("a: Int?", "Int? { nil }"), ("a: Int? = 1", "Int? { 1 }"),
    ])
  func types(property: String, value: String) {
    let source = expand("peer", "@Transient var \(property)").source ?? ""
    #expect(source.contains("static var value: \(value)"))
  }

  @Test(
    "What is wrong is reported once, on its token",
    arguments: [
      (
        "@Transient let a = 1",
        "@: '@Transient' marks one stored property that is a 'var', as in "
          + "'@Transient var isExpanded = false'"
      ),
      (
        "@Transient var a = 1, b = 2",
        "@: '@Transient' marks one stored property that is a 'var', as in "
          + "'@Transient var isExpanded = false'"
      ),
      (
        "@Transient var a: Int { 1 }",
        "a: 'a' is stored, because it is transient; remove its accessors or '@Transient'"
      ),
      (
        "@Transient var a: Int = 1 { didSet {} }",
        "a: 'a' calls no observers, because it is transient; remove its accessors or '@Transient'"
      ),
      (
        "@Transient static var a = 1",
        "static: 'a' is stored in each row; remove 'static' or '@Transient'"
      ),
      (
        "@Transient var a: Int",
        "a: 'a' needs an initial value, which decoding assigns, as in "
          + "'@Transient var isExpanded = false'"
      ),
      (
        "@Transient var a = make()",
        "a: 'a' needs an explicit type, as in '@Transient var date: Date = .now': macros "
          + "cannot see inferred types"
      ),
    ])
  func findings(source: String, finding: String) {
    let expansion = expand("peer", source)
    #expect(expansion.findings == [finding])
    #expect(expansion.source == nil)
    let accessor = expand("accessor", source)
    #expect(accessor.diagnostics.isEmpty && accessor.source == nil)
  }

  @Test("Only a struct has them")
  func structs() {
    let source = "@Transient var a = 1"
    #expect(expand("peer", source, in: ["struct Book {}"]).diagnostics.isEmpty)
    for contexts in [["final class Book {}"], [], nil] as [[String]?] {
      #expect(
        expand("peer", source, in: contexts).findings == [
          "a: '@Transient' marks a stored property of a struct that is an entity"
        ])
    }
    #expect(!expand("member", source).diagnostics.isEmpty)
  }
}
