import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("The refusal of a storage")
struct RefusalTests {
  @Test(
    "The user's own refusal is used",
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
    expectEqual(source?.contains("typealias Refusal = any Swift.Error"), isGenerated)
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
      (#"@Index var a: Indexes.Age<A> = .init()"#, false),
      (#"@Index var a: Indexes.Responses<R, A> = .init()"#, false),
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
      (#"@Relationship var a: EntiaDatabase.ToOne<A, B> = .init(\.b, onDelete: .nullify)"#, false),
      (#"@Table var a: EntiaDatabase.Tables.Hash<A> = .init()"#, false),
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
    expectEqual(expansion.findings, [])
    expectEqual(expansion.source?.contains("typealias Refusal = any Swift.Error"), canRefuse)
  }
}
