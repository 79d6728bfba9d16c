import EntiaTestSupport
import Testing

@testable import EntiaMacroExpansion

@Suite("Access levels of the expansion")
struct AccessTests {
  @Test("All members of a public storage are public, and its visit is inlinable")
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
    expectEqual(expansion.findings, [])
    expectEqual(
      expansion.source,
      #"""
      public struct Contents: EntiaDatabase.StorageContents {
        public var authors: Tables.Hash<Author> = .init()

        public init() {}

        @inlinable
        public static func visitParts<Visitor: EntiaDatabase.StorageVisitor>(
          _ visitor: inout Visitor
        ) where Visitor.Contents == Self {
          visitor.table("authors", \.authors)
        }

        public static var entityIDPaths: [Swift.AnyKeyPath] {
          var paths: [Swift.AnyKeyPath] = []
          paths.append(\Author.entityID)
          return paths
        }
      }

      public var snapshot: EntiaDatabase.Snapshot<Contents> = .init(Contents())

      public init() {}
      """#)
  }

  @Test("Each property keeps its access, except that private ones become fileprivate")
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
    expectEqual(
      lines.prefix(8),
      [
        "package struct Contents: EntiaDatabase.StorageContents {",
        "  fileprivate var a: Tables.Hash<A> = .init()",
        "  fileprivate var b: Tables.Hash<B> = .init()",
        "  package var c: Tables.Hash<C> = .init()",
        "  public var d: Tables.Hash<D> = .init()",
        "  internal var e: Tables.Hash<E> = .init()",
        "  var f: Tables.Hash<F> = .init()",
        "  package init() {}",
      ])
    expectFalse(lines.contains("  @inlinable"))
    expectEqual(lines.suffix(2).first?.hasPrefix("package var snapshot"), true)
    expectEqual(lines.last, "package init() {}")
  }

  @Test(
    "Access follows from the context of the storage",
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
    expectEqual(source?.hasPrefix("\(expected) Contents"), true)
  }

  @Test("Inlinable code is only generated if all enclosing declarations are public")
  func inlinable() {
    let parts = "@Table public var a: Tables.Hash<A> = .init()"
    func isInlinable(_ head: String, _ contexts: [String], _ parts: String) -> Bool {
      Expanding.members("\(head) { \(parts) }", in: contexts).source?.contains("@inlinable") == true
    }
    expectTrue(isInlinable("public struct L", [], parts))
    expectTrue(isInlinable("public struct L", ["public enum E {}"], parts))
    expectFalse(isInlinable("public struct L", ["enum E {}"], parts))
    expectFalse(isInlinable("public struct L", ["public extension E {}"], parts))
    expectFalse(isInlinable("struct L", [], parts))
    expectFalse(isInlinable("public struct L", [], "@Table var a: Tables.Hash<A> = .init()"))
  }
}
