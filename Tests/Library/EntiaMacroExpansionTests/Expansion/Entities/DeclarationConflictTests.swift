import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Declarations that conflict with those of @Entity and @Transient")
struct DeclarationConflictTests {
  private static let decoding = "init(from decoder: any Decoder) throws {}"
  private static let encoding = "func encode(to encoder: any Swift.Encoder) throws {}"

  @Test(
    "A Codable of the struct's own is declared",
    arguments: [
      ("struct Post", [decoding], "init", "init(from:)", "struct Post: Decodable"),
      ("struct Post", [encoding], "func", "encode(to:)", "struct Post: Encodable"),
      ("struct Post", [encoding, decoding], "init", "init(from:)", "struct Post: Codable"),
      (
        "struct Post", ["#if A", decoding, "#endif"], "init", "init(from:)",
        "struct Post: Decodable"
      ),
      ("struct Post<A>", [decoding], "init", "init(from:)", "struct Post<A>: Decodable"),
      (
        "struct Post: Sendable, A", [decoding], "init", "init(from:)",
        "struct Post: Sendable, A, Decodable"
      ),
    ])
  func codable(
    head: String, members: [String], token: String, function: String, remedy: String
  ) {
    let expansion = Expanding.entity(
      "@Entity \(head) { let id: Int\n\(members.joined(separator: "\n"))\n}")
    expectEqual(
      expansion.findings,
      [
        "\(token): 'Post' has its own '\(function)', which is used only if the struct itself "
          + "declares the conformance; write '\(remedy)'"
      ])
    expectTrue(expansion.fixed.hasPrefix("@Entity \(remedy) {"))
    // There is no second implementation, which would be another error.
    let source = expansion.source ?? ""
    expectTrue(source.contains("init(from") != members.contains(Self.decoding))
    expectTrue(source.contains("func encode") != members.contains(Self.encoding))
  }

  @Test(
    "Other functions are no Codable",
    arguments: [
      "init(from other: Other) { id = 1 }", "init(from decoder: any Decoder, at: Int) { id = 1 }",
      "init(_ decoder: any Decoder) { id = 1 }", "static func encode(to encoder: any Encoder) {}",
      "func encode(to text: inout String) {}", "func encode() {}", "init() { id = 1 }",
      "struct Inner { init(from decoder: any Decoder) throws {} }",
    ])
  func others(member: String) {
    let expansion = Expanding.entity("@Entity struct Post { let id: Int\n\(member) }")
    expectEqual(expansion.findings, [])
    expectEqual(expansion.source?.contains("init(from decoder: any Swift.Decoder)"), true)
  }

  @Test("A declared conformance has the struct's own functions")
  func declared() {
    let expansion = Expanding.entity(
      "@Entity struct Post: Codable { let id: Int\n\(Self.decoding)\n\(Self.encoding)\n}",
      missing: ["EntityType", "Identifiable", "RowCodable"])
    expectEqual(expansion.findings, [])
  }

  @Test(
    "An == of the struct's own is declared",
    arguments: [
      ("Post", "lhs: Self, rhs: Self", "Post: Equatable"),
      ("Post", "_ lhs: Post, _ rhs: borrowing Blog.Post", "Post: Equatable"),
      ("Post<A>", "lhs: Post<A>, rhs: Post", "Post<A>: Equatable"),
      (
        "Post: Swift.Sendable, Codable", "a: Self, b: Self",
        "Post: Swift.Sendable, Codable, Equatable"
      ),
      ("Post: Equatable", "lhs: Self, rhs: Self", nil),
      ("Post: Codable, Hashable", "lhs: Self, rhs: Self", nil),
      ("Post: Comparable", "lhs: Self, rhs: Self", nil),
      ("Post: EntityType", "lhs: Self, rhs: Self", nil),
      ("Post", "lhs: Self, rhs: Int", nil), ("Post", "lhs: Self?, rhs: Self?", nil),
    ])
  func equality(head: String, parameters: String, remedy: String?) {
    let expansion = Expanding.entity(
      "@Entity struct \(head) { let id: Int\nstatic func == (\(parameters)) -> Bool { true }\n}")
    guard let remedy else {
      expectEqual(expansion.findings, [])
      return
    }
    expectEqual(
      expansion.findings,
      [
        "func: 'Post' has its own '==', which is used only if the struct itself declares the "
          + "conformance; write 'struct \(remedy)'"
      ])
    expectTrue(expansion.fixed.hasPrefix("@Entity struct \(remedy) {"))
    // An extension may declare the conformance.
    expectEqual(expansion.diagnostics.map(\.severity), [.warning])
  }

  @Test(
    "Names that @Transient declares are taken",
    arguments: [
      ("var _isOn = 1", "_isOn"), ("static var isOnTransientDefault = 1", "isOnTransientDefault"),
      ("func isOnTransientValue() {}", "isOnTransientValue"),
      ("enum isOnTransientDefault {}", "isOnTransientDefault"),
      ("typealias isOnTransientDefault = Int", "isOnTransientDefault"),
      ("var `_isOn`: Int { 1 }", "`_isOn`"), ("@Transient var _isOn = 1", "_isOn"),
      ("#if A\nvar _isOn = 1\n#endif", "_isOn"), ("func isOn() {}", nil),
      ("var _isOff = 1", nil),
    ])
  func transientNames(member: String, token: String?) {
    let expansion = Expanding.entity(
      "@Entity struct Post { let id: Int\n@Transient var isOn = false\n\(member)\n}")
    expectEqual(
      expansion.findings,
      token.map {
        [
          "\($0): '\($0.withoutBackticks)' is a name that '@Transient' declares for 'isOn'; give "
            + "this declaration another name"
        ]
      } ?? [])
  }

  @Test("Names in other clauses of an #if are free")
  func conditions() {
    let members = "#if A\n@Transient var isOn = false\n#else\nvar _isOn = 1\n#endif"
    expectEqual(Expanding.entity("@Entity struct Post { let id: Int\n\(members)\n}").findings, [])
  }
}
