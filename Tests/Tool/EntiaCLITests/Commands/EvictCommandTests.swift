#if ENTIA_SQLITE
  import EntiaDatabase
  import EntiaTestDomains
  import EntiaTestSupport
  import Foundation
  import Testing

  @testable import EntiaSQLite

  private struct Depot: NormalizedStorageType {
    struct Place: EntityType, Identifiable, Codable {
      struct ID: Hashable, Codable, Comparable, Sendable, CustomStringConvertible {
        let shelf: Int
        let position: String

        var description: String { "\(shelf)-\(position)" }
        static func < (lhs: Self, rhs: Self) -> Bool {
          (lhs.shelf, lhs.position) < (rhs.shelf, rhs.position)
        }
      }

      let id: ID
    }

    struct Owner: EntityType, Identifiable, Codable {
      let id: Int
    }

    struct Box: EntityType, Identifiable, Codable {
      let id: Int
      var ownerID: Owner.EntityID
      var placeID: Place.EntityID?
      var others: [Place.EntityID] = []
    }

    struct Contents: StorageContents {
      var boxes = Tables.Ordered<Box>()
      var owners = Tables.Hash<Owner>()
      var places = Tables.Hash<Place>()
      var boxOwner = ToOne<Box, Owner>(\.ownerID, onDelete: .deny).required()
      var boxPlace = ToOne<Box, Place>(\.placeID, onDelete: .deny)
      var boxOthers = ToMany<Box, Place>(\.others, onDelete: .deny)
      var boxAges = Indexes.Age<Box>()
      var ownerAges = Indexes.Age<Owner>()
      var placeAges = Indexes.Age<Place>()
      var placeAnswers = Indexes.Responses<String, Place>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("boxes", \.boxes)
        visitor.table("owners", \.owners)
        visitor.table("places", \.places)
        visitor.relationship("boxOwner", \.boxOwner)
        visitor.relationship("boxPlace", \.boxPlace)
        visitor.relationship("boxOthers", \.boxOthers)
        visitor.index("boxAges", \.boxAges)
        visitor.index("ownerAges", \.ownerAges)
        visitor.index("placeAges", \.placeAges)
        visitor.index("placeAnswers", \.placeAnswers)
      }
    }

    typealias Refusal = any Error

    var snapshot = Snapshot(Contents())
  }

  @Suite("entia evict, and the ages of entia stats")
  struct EvictCommandTests {
    private let folder: TemporaryFolder
    private let path: String

    /// A file with the notes 10 to 15, which were received one second after another: 11 is a reply
    /// to 10, 12 is pinned, and 14 and 15 are in an answer.
    init() throws {
      folder = try TemporaryFolder()
      path = folder.path("inbox.sqlite")
      func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
      var inbox = Inbox()
      try inbox.performBatchUpdates { context in
        context.modifying.writers.insert(Writer(id: "w"), receivedAt: at(1))
        for id in 10...15 {
          context.modifying.notes.insert(
            Note(id: id, text: "t", parentID: id == 11 ? 10 : nil), receivedAt: at(Double(id)))
        }
        context.modifying.pinned.append(12)
        context.modifying.answers.receive([15, 14], for: .all, next: "more", at: at(20))
        context.modifying.answers.receive([13], for: .by("w"), at: at(21))
      }
      let file = try DatabaseFile<Inbox>(path: path)
      try file.save(inbox)
      try file.close()
    }

    private func outcome(_ line: String) throws -> (code: Int32, output: String, error: String) {
      let outcome = try EntiaProcess.run(line)
      return (outcome.exitCode, outcome.outputText, outcome.errorText)
    }

    private func load() throws -> Inbox {
      let file = try DatabaseFile<Inbox>(path: path)
      defer { #expect(throws: Never.self) { try file.close() } }
      try file.withTurn { try $0.connection.requireAllRows() }
      return try file.load()
    }

    @Test("stats has the ages and answers of a file, as text and as JSON")
    func stats() throws {
      let text = try outcome("stats \(path)")
      expectTrue(
        text.output.hasSuffix(
          """

          ages and answers:
            noteAges: 6 of 6 rows of notes, received from 2001-01-01T00:00:10Z to \
          2001-01-01T00:00:15Z
            writerAges: 1 of 1 row of writers, received from 2001-01-01T00:00:01Z to \
          2001-01-01T00:00:01Z
            answers: 2 answers with 3 of notes, 0 invalidated, received from 2001-01-01T00:00:20Z to \
          2001-01-01T00:00:21Z

          """), "\(text)")
      let json = try JSONSerialization.jsonObject(
        with: Data(try outcome("stats \(path) --json").output.utf8))
      let object = try #require(json as? [String: Any])
      let ages = try #require(object["ages"] as? [[String: Any]])
      expectEqual(ages.map { $0["entity"] as? String }, ["notes", "writers"])
      expectEqual(ages.map { $0["known"] as? Int }, [6, 1])
      let answers = try #require(object["answers"] as? [[String: Any]])
      expectEqual(answers.first?["ids"] as? Int, 3)
      expectEqual(answers.first?["oldest"] as? String, "2001-01-01T00:00:20Z")
    }

    @Test("stats counts no ages and answers of rows that a command has removed")
    func statsOfRemovedRows() throws {
      try expectEqual(outcome("delete \(path) notes 13").code, 0)
      try expectEqual(outcome("delete \(path) notes 15").code, 0)
      let text = try outcome("stats \(path)").output
      expectTrue(
        text.contains(
          """
            noteAges: 4 of 4 rows of notes, received from 2001-01-01T00:00:10Z to \
          2001-01-01T00:00:14Z
          """), "\(text)")
      expectTrue(text.contains("  answers: 2 answers with 1 of notes, 0 invalidated"), "\(text)")
    }

    @Test("A dry run lists the oldest rows that nothing refers to or holds, and writes nothing")
    func dryRun() throws {
      let before = try Data(contentsOf: URL(filePath: path))
      let run = try outcome("evict \(path) --rows 5 --dry-run")
      expectEqual(run.code, 0)
      expectEqual(
        run.output,
        """
        - notes 11
        - notes 10
        2 rows of 7 would be evicted
        dry run: '\(path)' was not written

        """, "\(run)")
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
      let kept = try outcome(
        "evict \(path) --rows 0 --keep notes:11 --keep notes:15 --keep writers --dry-run")
      expectEqual(
        kept.output,
        """
        - notes 13
        - notes 14
        2 rows of 7 would be evicted
        5 rows left: the others are kept
        dry run: '\(path)' was not written

        """, "\(kept)")
    }

    @Test("An eviction leaves a file that the program reads, with its answers invalidated")
    func evict() throws {
      let run = try outcome("evict \(path) --rows 3 --keep notes:15")
      expectTrue(run.code == 0 && run.output.hasSuffix("wrote '\(path)'\n"), "\(run)")
      let inbox = try load()
      expectTrue(inbox.verify() == [] && inbox.writers.count == 1)
      expectTrue(inbox.notes.map(\.id) == [12, 15] && inbox.pinned.ids().map(\.raw) == [12])
      expectEqual(inbox.noteAges.ids().map(\.raw), [12, 15])
      expectEqual(inbox.answers.ids(for: .all).map(\.raw), [15])
      expectTrue(
        inbox.answers[.all]?.isInvalidated == true && inbox.answers[.all]?.cursor == "more")
      expectEqual(inbox.answers[.by("w")]?.isInvalidated, true)
      let again = try outcome("evict \(path) --rows 3")
      expectEqual(again.output, "0 rows of 3 evicted\n'\(path)' stays as it is\n", "\(again)")
      // What is left is evicted when nothing refers to it.
      _ = try outcome("evict \(path) --rows 0")
      try expectEqual(load().notes.map(\.id), [12])
    }

    @Test("A held row is kept if another program has changed the case of the table's name")
    func changedCase() throws {
      let file = try DatabaseFile<Inbox>(path: path)
      let name = try file.withTurn { open in
        let value = try open.connection.value("SELECT name FROM entia_parts WHERE part='pinned'")
        guard case .text(let name)? = value else { return "" }
        try open.connection.execute("ALTER TABLE \(name) RENAME TO other")
        try open.connection.execute("ALTER TABLE other RENAME TO \(name.uppercased())")
        return name
      }
      try file.close()
      expectTrue(name != name.uppercased())
      let run = try outcome("evict \(path) --rows 0")
      expectEqual(run.code, 0, "\(run)")
      try expectEqual(load().notes.map(\.id), [12])
    }

    @Test("A reference counts if the rows have equal IDs, and if the ID is composite")
    func references() throws {
      func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
      let place = Depot.Place.ID(shelf: 0, position: "p")
      let other = Depot.Place.ID(shelf: 1, position: "q")
      for limit in [3, 2] {
        let path = folder.path("depot\(limit).sqlite")
        var depot = Depot()
        try depot.performBatchUpdates { context in
          context.modifying.places.insert(
            [place, other, .init(shelf: 2, position: "r")].map { Depot.Place(id: $0) },
            receivedAt: at(0))
          // The ID of the box is that of the owner, to which another box refers, too.
          context.modifying.owners.insert([Depot.Owner(id: 1)], receivedAt: at(1))
          context.modifying.boxes.insert(
            [
              Depot.Box(id: 1, ownerID: 1, placeID: .init(place), others: [.init(other)]),
              Depot.Box(id: 2, ownerID: 1),
            ], receivedAt: at(2))
        }
        let file = try DatabaseFile<Depot>(path: path)
        try file.save(depot)
        try file.close()
        let run = try outcome("evict \(path) --rows \(limit) \(limit == 3 ? "--keep boxes:1" : "")")
        expectEqual(run.code, 0, "\(run)")
        let loaded = try DatabaseFile<Depot>(path: path)
        let rest = try loaded.load()
        expectEqual(rest.snapshot.contents.boxes.map(\.id), limit == 3 ? [1] : [])
        expectEqual(rest.snapshot.contents.owners.count, 1)
        expectEqual(rest.snapshot.contents.places.count, limit == 3 ? 2 : 1)
        expectEqual(rest.verify(), [])
        try loaded.close()
      }
    }

    @Test("Answers about rows with composite IDs are counted, and invalidated by an eviction")
    func answersOfCompositeIDs() throws {
      let path = folder.path("depot.sqlite")
      let time = Date(timeIntervalSinceReferenceDate: 0)
      let places = ["p", "q"].map { Depot.Place(id: .init(shelf: 0, position: $0)) }
      var depot = Depot()
      try depot.performBatchUpdates { context in
        context.modifying.places.insert(places, receivedAt: time)
        context.modifying.placeAnswers.receive(places.map(\.entityID), for: "all", at: time)
      }
      let file = try DatabaseFile<Depot>(path: path)
      try file.save(depot)
      try file.close()
      try expectTrue(outcome("stats \(path)").output.contains("1 answer with 2 of places"))
      try expectEqual(outcome("evict \(path) --rows 1").code, 0)
      let loaded = try DatabaseFile<Depot>(path: path)
      let answer = try #require(loaded.load().snapshot.contents.placeAnswers["all"])
      expectEqual(answer.ids().count, 1)
      expectFalse(answer.isFresh(within: .seconds(100), at: time))
      try loaded.close()
    }

    @Test("Wrong arguments and files without ages are refused, and nothing is changed")
    func refused() throws {
      let before = try Data(contentsOf: URL(filePath: path))
      let entity = try outcome("evict \(path) --rows 1 --keep note")
      expectTrue(
        entity.code == 64
          && entity.error.contains("has no entity 'note'; did you mean 'notes'?"), "\(entity)")
      let row = try outcome("evict \(path) --rows 1 --keep notes:99 --keep notes:11")
      expectTrue(
        row.code == 64 && row.error.contains("--keep notes:99: '\(path)' has no such row"), "\(row)"
      )
      let missing = try outcome("evict \(folder.path("none.sqlite")) --rows 1")
      expectTrue(missing.code != 0 && missing.error.contains("none.sqlite"), "\(missing)")
      let json = try outcome("evict Fixtures/blog/expected.json --rows 1")
      expectTrue(json.code == 65 && json.error.contains("is not a SQLite database"), "\(json)")
      let input = try outcome("evict - --rows 1")
      expectTrue(input.code == 64 && input.error.contains("name a file"), "\(input)")
      try expectEqual(outcome("evict \(path)").code, 64)
      let other = folder.path("blog.sqlite")
      _ = try outcome("export Fixtures/blog/expected.json -o \(other)")
      let foreign = folder.path("foreign.sqlite")
      let connection = try SQLiteConnection(path: nil, mode: .readWrite)
      try connection.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
      try connection.copy(to: foreign)
      for path in [other, foreign] {
        let contents = try Data(contentsOf: URL(filePath: path))
        try expectEqual(outcome("evict \(path) --rows 1").code, 65)
        try expectEqual(Data(contentsOf: URL(filePath: path)), contents)
      }
      let ageless = try outcome("evict \(other) --rows 1")
      expectTrue(ageless.code == 65 && ageless.error.contains("has no ages"), "\(ageless)")
      let file = try DatabaseFile<Inbox>(path: path)
      let open = try outcome("evict \(path) --rows 1")
      expectTrue(open.code != 0 && open.error.contains("open"), "\(open)")
      try file.close()
      try expectEqual(Data(contentsOf: URL(filePath: path)), before)
    }
  }
#endif
