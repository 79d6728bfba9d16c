import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("The memory of batches")
struct BatchMemoryTests {
  @Test("The version of a batch adopts the memory that the batch wrote to")
  func adopted() throws {
    var library = try Library.sample()
    let before = library
    var batch = library.beginBatchUpdates()
    batch.modifying.authors.insert(Author(id: "a3", name: "Cy"))
    let memory = batch.transaction.contents
    try library.commitBatchUpdates(batch)
    expectEqual(library.snapshot.box.address, memory)
    expectEqual(library.authors.find(by: "a3")?.name, "Cy")
    expectNil(before.authors.find(by: "a3"))
    expectTrue(library.verify() == [] && before.verify() == [])
  }

  @Test("A batch without a change leaves the version that there was")
  func unchanged() throws {
    var library = try Library.sample()
    let before = library
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cy"))
      context.modifying.authors.remove("a3")
    }
    expectTrue(library == before && library.verify() == [])
    try library.performBatchUpdates { _ in }
    expectEqual(library, before)
  }

  @Test("An editor that is used after its batch does not write to the new version")
  func usedAfterwards() throws {
    var library = try Library.sample()
    var editor: TableEditor<Library, Tables.Hash<Author>>?
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cy"))
      editor = context.modifying.authors
    }
    let version = library
    editor?.insert(Author(id: "a4", name: "Di"))
    editor?.updateIfExists(id: "a3") { $0.name = "Ed" }
    expectNil(version.authors.find(by: "a4"))
    expectEqual(version.authors.find(by: "a3")?.name, "Cy")
    expectEqual(version.snapshot.contents.authors.find(by: "a3")?.name, "Cy")
    expectEqual(version.verify(), [])
  }

  @Test("Contents with a weak reference, whose bytes cannot be copied, keep it in all versions")
  func weakReference() {
    let target = Target()
    var storage = WeakStorage()
    expectFalse(Snapshot<WeakStorage.Contents>.Box.sharesBytes)
    var contents = storage.snapshot.contents
    contents.target.object = target
    storage = WeakStorage(snapshot: Snapshot(contents))
    var versions = [storage]
    for number in 0..<100 {
      storage.performBatchUpdates { context in
        context.modifying.authors.insert(Author(id: "a\(number)", name: "\(number)"))
      }
      versions.append(storage)
    }
    for (number, version) in versions.enumerated() {
      expectEqual(version.authors.count, number)
      expectTrue(version.snapshot.contents.target.object === target)
      expectTrue(version.snapshot.box.address.pointee.target.object === target)
    }
  }
}

private final class Target: Sendable {}

private struct WeakTarget: Sendable {
  // Written only before the storage is created.
  nonisolated(unsafe) weak var object: Target?
}

private struct WeakStorage: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var target = WeakTarget()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("authors", \.authors) }
  }

  var snapshot = Snapshot(Contents())
  var authors: Tables.Hash<Author> { snapshot.contents.authors }
}
