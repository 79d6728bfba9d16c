import EntiaTestSupport
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
    expectEqual(
      expansion.source,
      """
      {
        @storageRestrictions(initializes: _isExpanded)
        init(initialValue) { _isExpanded = .init(initialValue) }
        get { _isExpanded.value }
        _modify { yield &_isExpanded.value }
      }
      """)
    expectTrue(expansion.diagnostics.isEmpty)
  }

  @Test("The stored member has the declared value")
  func storage() {
    expectEqual(
      expand("peer", "@Transient public private(set) var `default`: [Int] = [1, 2]").source,
      """
      private var _default: EntiaDatabase.TransientMember<defaultTransientDefault>
      private static var defaultTransientValue: [Int] {
        return [1, 2]
      }
      private enum defaultTransientDefault: EntiaDatabase.TransientMemberDefault {
        static var value: [Int] { defaultTransientValue }
      }
      """)
    expectEqual(
      expand("peer", "@Transient var `is open` = true").source,
      """
      private var `_is open`: EntiaDatabase.TransientMember<`is openTransientDefault`>
      private static var `is openTransientValue`: Bool {
        return true
      }
      private enum `is openTransientDefault`: EntiaDatabase.TransientMemberDefault {
        static var value: Bool { `is openTransientValue` }
      }
      """)
    expectEqual(
      expand("peer", "@Transient var `1st` = 3").source,
      """
      private var `_1st`: EntiaDatabase.TransientMember<`1stTransientDefault`>
      private static var `1stTransientValue`: Int {
        return 3
      }
      private enum `1stTransientDefault`: EntiaDatabase.TransientMemberDefault {
        static var value: Int { `1stTransientValue` }
      }
      """)
  }

  @Test("Self in its type is the entity, also in the generated enum")
  func selfType() {
    let source = expand("peer", "@Transient var a: [Self.Kind]? = Self.kinds").source ?? ""
    expectTrue(
      source.contains(
        "enum aTransientDefault: EntiaDatabase.TransientMemberDefault {\n"
          + "  static var value: [Book.Kind]? { aTransientValue }"))
    expectTrue(source.contains("return Self.kinds"))
  }

  @Test("The declared value keeps its place in the source")
  func lines() {
    var request = Expanding.request(
      "TransientMacro", role: "peer", "@Transient\nvar a: Int =\n  b(\n  #line)",
      in: ["struct Book {}"])
    request.declaration.line = 7
    expectEqual(
      MacroExpansion.expand(request).source?.contains(
        """
        private static var aTransientValue: Int {
        #sourceLocation(file: "L.swift", line: 9)
          return b(
          #line)
        #sourceLocation()
        }
        """), true)
  }

  @Test(
    "Literals and optionals need less",
    arguments: [
      ("a = true", "Bool {\n  return true\n}"), ("a = -1", "Int {\n  return -1\n}"),
      ("a = 1.5", "Double {\n  return 1.5\n}"), ("a = 0x1e", "Int {\n  return 0x1e\n}"),
      ("a = 1e3", "Double {\n  return 1e3\n}"), ("a = \"b\"", "String {\n  return \"b\"\n}"),
      ("a: Int?", "Int? {\n  return nil\n}"), ("a: Int? = 1", "Int? {\n  return 1\n}"),
    ])
  func literals(property: String, value: String) {
    let source = expand("peer", "@Transient var \(property)").source ?? ""
    expectTrue(source.contains("static var aTransientValue: \(value)"))
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
    expectEqual(expansion.findings, [finding])
    expectNil(expansion.source)
    let accessor = expand("accessor", source)
    expectTrue(accessor.diagnostics.isEmpty && accessor.source == nil)
  }

  @Test("Only a struct has them")
  func structs() {
    let source = "@Transient var a = 1"
    expectTrue(expand("peer", source, in: ["struct Book {}"]).diagnostics.isEmpty)
    for contexts in [["final class Book {}"], [], nil] as [[String]?] {
      expectEqual(
        expand("peer", source, in: contexts).findings,
        [
          "a: '@Transient' marks a stored property of a struct that is an entity"
        ])
    }
    expectFalse(expand("member", source).diagnostics.isEmpty)
  }
}
