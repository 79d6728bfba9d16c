import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Tables that the type checker requires")
struct TableDeclarationTests {
  @Test(
    "Every table is declared for the type checker, and every part whose table is not visible is checked"
  )
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
    expectEqual(
      source?.contains(
        #"""
        #sourceLocation(file: "/a \"b\"/L.swift", line: 9)
          private static func table(of _: A.Type) {}
        #sourceLocation()
        #sourceLocation(file: "/a \"b\"/L.swift", line: 10)
          private static func table(of _: Rows.Entity.Type) {}
        #sourceLocation()
          @available(*, unavailable, message: "a part is of an entity type that has no table in this storage; add its table")
          private static func table<Row: EntiaDatabase.EntityType>(of _: Row.Type, _: Void = ()) {}
          @available(*, unavailable, message: "'C' has no table in this storage; add '@Table var rows: Tables.Hash<C> = .init()'")
          private static func table(of _: C.Type, _: Void = ()) {}

          private static func requireTables() {
        #sourceLocation(file: "/a \"b\"/L.swift", line: 11)
            table(of: C.self)
        #sourceLocation()
        #sourceLocation(file: "/a \"b\"/L.swift", line: 12)
            table(of: Named.Holder.self)
        #sourceLocation(file: "/a \"b\"/L.swift", line: 12)
            table(of: Named.Target.self)
        #sourceLocation()
        #if F
        #sourceLocation(file: "/a \"b\"/L.swift", line: 14)
            table(of: D.self)
        #sourceLocation()
        #endif
          }
        """#
      ), true)
  }
}
