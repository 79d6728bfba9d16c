import EntiaTestDomains
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
    #expect(library.snapshot.box.address == memory)
    #expect(library.authors.find(by: "a3")?.name == "Cy")
    #expect(before.authors.find(by: "a3") == nil)
    #expect(library.verify() == [] && before.verify() == [])
  }

  @Test("A batch without a change leaves the version that there was")
  func unchanged() throws {
    var library = try Library.sample()
    let before = library
    try library.performBatchUpdates { context in
      context.modifying.authors.insert(Author(id: "a3", name: "Cy"))
      context.modifying.authors.remove("a3")
    }
    #expect(library == before && library.verify() == [])
    try library.performBatchUpdates { _ in }
    #expect(library == before)
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
    #expect(version.authors.find(by: "a4") == nil)
    #expect(version.authors.find(by: "a3")?.name == "Cy")
    #expect(version.snapshot.contents.authors.find(by: "a3")?.name == "Cy")
    #expect(version.verify() == [])
  }

  @Test("Contents with a weak reference, whose bytes cannot be copied, keep it in all versions")
  func weakReference() {
    let target = Target()
    var storage = WeakStorage()
    #expect(!Snapshot<WeakStorage.Contents>.Box.sharesBytes)
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
      #expect(version.authors.count == number)
      #expect(version.snapshot.contents.target.object === target)
      #expect(version.snapshot.box.address.pointee.target.object === target)
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
