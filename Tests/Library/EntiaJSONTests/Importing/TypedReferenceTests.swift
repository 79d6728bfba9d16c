import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Testing

private struct Writer: EntityType, Identifiable, Codable {
  let id: String
  var name: String?
}

/// A book that has the name of its writer beside the ID.
private struct Tome: EntityType, Identifiable, Codable {
  let id: String
  var author: String?
  var authorID: Writer.EntityID?
  var readers: [String]?
  var readerIDs: [Writer.EntityID]?
}

private struct Shelf: NormalizedStorageType {
  struct Contents: StorageContents {
    var writers = Tables.Hash<Writer>()
    var tomes = Tables.Hash<Tome>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("writers", \.writers)
      visitor.table("tomes", \.tomes)
    }
  }

  typealias Refusal = any Error
  var snapshot = Snapshot(Contents())
}

@Suite("References of typed imports")
struct TypedReferenceTests {
  private func tome(_ members: String) -> (tome: Tome?, problems: [String], writers: Int?) {
    let result = Importer.importing(
      [source("[{\"id\":\"p\",\(members)}]")], of: Tome.self, into: Shelf())
    let contents = result.database?.snapshot.contents
    return (
      contents?.tomes.find(by: "p"), result.report.problems.map(\.description),
      contents?.writers.count
    )
  }

  @Test("a plain value under a name without the suffix ID is not decoded as an ID")
  func plainValues() {
    let plain = tome("\"author\":\"Ursula\",\"readers\":[\"Ann\"]")
    expectEqual(plain.tome, Tome(id: "p", author: "Ursula", readers: ["Ann"]))
    expectTrue(plain.problems.isEmpty)
    let null = tome("\"author\":null")
    expectTrue(null.tome == Tome(id: "p") && null.problems.isEmpty)
    let own = tome("\"author\":\"Ursula\",\"authorID\":\"u\"")
    expectEqual(own.tome, Tome(id: "p", author: "Ursula", authorID: "u"))
    expectEqual(own.problems.count, 1, "the writer \"u\" is dangling")
  }

  /// A book that has only the ID of its writer.
  private struct Volume: EntityType, Identifiable, Codable {
    let id: String
    var writerID: Writer.EntityID?
    var readerIDs: [Writer.EntityID]?
    var first: Binding?

    struct Binding: Hashable, Codable {
      var writerID: Writer.EntityID?
    }
  }

  private struct Volumes: NormalizedStorageType {
    struct Contents: StorageContents {
      var writers = Tables.Hash<Writer>()
      var volumes = Tables.Hash<Volume>()
      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("writers", \.writers)
        visitor.table("volumes", \.volumes)
      }
    }
    typealias Refusal = any Error
    var snapshot = Snapshot(Contents())
  }

  @Test("an ID under the name without the suffix is counted, and refused by a strict import")
  func plainIDs() throws {
    let input = [
      source(
        """
        [{"id": "p", "writer": "u", "readers": ["v", "w"], "first": {"writer": "x"}},
         {"id": "q", "writer": null, "readers": []}, {"id": "r", "writer": {"id": "y"}},
         {"id": "s", "writer": "z"}]
        """)
    ]
    let plain = Importer.importing(input, of: Volume.self, into: Volumes())
    let contents = try #require(plain.database).snapshot.contents
    expectEqual(contents.volumes.find(by: "p"), Volume(id: "p", first: .init()))
    expectEqual(contents.volumes.find(by: "q"), Volume(id: "q", readerIDs: []))
    expectEqual(contents.volumes.find(by: "r")?.writerID, "y")
    expectEqual(
      plain.report.ignored.map { "\($0.count) \($0.name)" },
      ["1 volumes.readers", "3 volumes.writer"])
    let strict = Importer.importing(
      input, of: Volume.self, into: Volumes(), options: TypedImportOptions(strict: true))
    expectNil(strict.database)
    expectEqual(
      strict.report.problems.map(\.description),
      [
        #"in.json: $[0].writer: error: unknownEntity: "writer" of volumes is not imported: writerID is "#
          + #"read from it only if it contains objects; give the property the name "writer" in records"#,
        #"in.json: $[0].readers: error: unknownEntity: "readers" of volumes is not imported: readerIDs "#
          + #"is read from it only if it contains objects; give the property the name "readers" in "#
          + "records",
      ])
  }

  @Test("objects beside the ID that they contradict are ignored, and refused by a strict import")
  func objectsBesideIDs() throws {
    let input = [
      source(
        #"""
        [{"id": "p", "writerID": "u", "writer": {"id": "v"}, "readers": [{"id": "w"}], "readerIDs": []},
         {"id": "q", "writer": {"id": "v"}, "writerID": null}]
        """#)
    ]
    let result = Importer.importing(input, of: Volume.self, into: Volumes())
    let contents = try #require(result.database).snapshot.contents
    expectEqual(contents.volumes.find(by: "p"), Volume(id: "p", writerID: "u", readerIDs: []))
    expectTrue(contents.writers.isEmpty)
    expectEqual(
      result.report.ignored.map { "\($0.count) \($0.name)" },
      ["1 volumes.readers", "2 volumes.writer"])
    let strict = Importer.importing(
      input, of: Volume.self, into: Volumes(), options: TypedImportOptions(strict: true))
    expectNil(strict.database)
    expectEqual(
      strict.report.problems.map(\.message).filter { $0.contains("are not imported") }.count, 2)
  }

  /// A note that decodes its reference by a decoder of the member.
  private struct Note: EntityType, Identifiable, Codable {
    let id: String
    let authorID: Writer.EntityID

    init(id: String, authorID: Writer.EntityID) { (self.id, self.authorID) = (id, authorID) }

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: CodingKeys.self)
      id = try row.decode(String.self, forKey: .id)
      let member = try row.superDecoder(forKey: .authorID).singleValueContainer()
      authorID = try member.decode(Writer.EntityID.self)
    }
  }

  private struct Notes: NormalizedStorageType {
    struct Contents: StorageContents {
      var writers = Tables.Hash<Writer>()
      var notes = Tables.Hash<Note>()
      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("writers", \.writers)
        visitor.table("notes", \.notes)
      }
    }
    typealias Refusal = any Error
    var snapshot = Snapshot(Contents())
  }

  @Test("a decoder of a member has the member of either name of a reference")
  func memberDecoders() {
    for name in ["authorID", "author"] {
      let text = "[{\"id\":\"n\",\"\(name)\":{\"id\":\"u\"}}]"
      let result = Importer.importing([source(text)], of: Note.self, into: Notes())
      expectEqual(result.report.problems.map(\.description), [])
      expectEqual(
        result.database?.snapshot.contents.notes.find(by: "n"), Note(id: "n", authorID: "u"))
    }
  }

  @Test("an object or a list of objects may occur in the place of IDs; an empty list has no IDs")
  func objects() throws {
    struct Book: EntityType, Identifiable, Codable {
      let id: String
      var authorID: Writer.EntityID
      var readerIDs: [Writer.EntityID]
    }
    struct Library: NormalizedStorageType {
      struct Contents: StorageContents {
        var writers = Tables.Hash<Writer>()
        var books = Tables.Hash<Book>()
        static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
        where Visitor.Contents == Self {
          visitor.table("writers", \.writers)
          visitor.table("books", \.books)
        }
      }
      typealias Refusal = any Error
      var snapshot = Snapshot(Contents())
    }
    func books(_ text: String) -> TypedImport<Library, Book> {
      Importer.importing([source(text)], of: Book.self, into: Library())
    }
    let text = """
      [{"id": "p", "author": {"id": "a"}, "readers": [{"id": "b"}, "a"]},
       {"id": "q", "authorID": "b", "readers": []}]
      """
    let contents = try #require(books(text).database).snapshot.contents
    expectEqual(contents.books.find(by: "p"), Book(id: "p", authorID: "a", readerIDs: ["b", "a"]))
    expectEqual(contents.books.find(by: "q"), Book(id: "q", authorID: "b", readerIDs: []))
    expectEqual(contents.writers.count, 2)
    expectEqual(
      books(#"[{"id":"p","author":"a","readerIDs":[]}]"#).report.problems.map(\.description),
      [
        "in.json: $[0]: error: typeMismatch: this record of books has no \"authorID\"; \"author\" is "
          + "read in its place only if it contains objects; give the property the name \"author\" in "
          + "records"
      ])
    expectEqual(
      books(#"[{"id":"p","authorID":"a","readers":["b"]}]"#).report.problems.map(\.path), ["$[0]"])
  }

  @Test("a merge of conflicting entities is refused with advice")
  func merge() {
    let result = Importer.importing(
      [source("[{\"id\":\"p\"}]")], of: Tome.self, into: Shelf(),
      options: TypedImportOptions(onConflict: .merge))
    expectTrue(result.database == nil && result.report.read == 0)
    let message =
      "entities of Swift types cannot be merged without a policy: a property that a record lacks "
      + "cannot be distinguished from one that is nil; pass a MergePolicy as merging:, or set "
      + "onConflict to .replace or .keep"
    expectEqual(result.report.problems.map(\.description), ["in.json: $: error: usage: " + message])
    let tables = Importer.importingTables(
      [source("{\"tomes\":[]}")], into: Shelf(), options: TypedImportOptions(onConflict: .merge))
    expectTrue(tables.database == nil && tables.report.problems.map(\.message) == [message])
  }
}
