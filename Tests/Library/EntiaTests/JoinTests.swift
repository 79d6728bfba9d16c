import Entia
import EntiaTestSupport
import Foundation
import Testing

/// Joins, groups and sorts over relationships, written as a user writes them.
@Suite("Joins")
struct JoinTests {
  @Test("A second hop: books by the country of their author")
  func hop() throws {
    let club = try ReadingClub.sample()
    let books = club.fetch(
      FetchDescriptor<Novel>().joining(
        \ReadingClub.novelWriter,
        FetchDescriptor().joining(\ReadingClub.writerCountry, #Predicate { $0.name == "Norway" })))
    expectEqual(books.map(\.id), ["n1", "n2"])
  }

  @Test("The ID of an entity is found as its primary key, by either name")
  func primaryKey() throws {
    let club = try ReadingClub.sample()
    let id = Novel.EntityID("n2")
    for predicate in [
      #Predicate<Novel> { $0.entityID == id }, #Predicate<Novel> { $0.id == "n2" },
    ] {
      let descriptor = FetchDescriptor(predicate: predicate)
      expectEqual(club.fetch(descriptor).map(\.id), ["n2"])
      expectEqual(club.explain(descriptor).indexes, ["primary key"])
      expectEqual(club.explain(descriptor).rowsExamined, 1)
    }
  }

  @Test("All, none and counts")
  func quantifiers() throws {
    let club = try ReadingClub.sample()
    func writers(_ descriptor: FetchDescriptor<Novelist>) -> [String] {
      club.fetch(descriptor).map(\.id)
    }
    let old = #Predicate<Novel> { $0.year < 1950 }
    expectEqual(
      writers(.init().joining(inverse: \ReadingClub.novelWriter, old, matching: .all)),
      ["sigrid", "nobody"])
    expectEqual(
      writers(.init().joining(inverse: \ReadingClub.novelWriter, old, matching: .none)),
      ["ursula", "nobody"])
    expectEqual(
      writers(.init().joining(inverse: \ReadingClub.novelWriter, matching: .atLeast(2))), ["sigrid"]
    )
    expectEqual(
      writers(.init().joining(inverse: \ReadingClub.novelWriter, matching: .exactly(0))), ["nobody"]
    )
  }

  @Test("A condition on the row of a join entity, and on what it leads to")
  func joinRow() throws {
    let club = try ReadingClub.sample()
    let leads = club.fetch(
      FetchDescriptor<Reader>().joining(
        inverse: \ReadingClub.seatReader,
        FetchDescriptor(predicate: #Predicate { $0.isLead })
          .joining(\ReadingClub.seatTable, #Predicate { $0.topic == "Crime" })))
    expectEqual(leads.map(\.id), ["ann"])
  }

  @Test("Grouped, counted and sorted by a field of a related entity")
  func groupsAndSorts() throws {
    let club = try ReadingClub.sample()
    let groups = club.fetchGrouped(
      FetchDescriptor<Novel>(), by: \ReadingClub.novelWriter, \.name)
    expectEqual(groups.map(\.key), ["Undset", "Le Guin", nil])
    expectEqual(groups.map { $0.entities.map(\.id) }, [["n1", "n2"], ["n3"], ["n4"]])
    let counts = club.fetchCounts(FetchDescriptor<Novel>(), by: \ReadingClub.novelWriter, \.name)
    expectEqual(counts.map(\.count), [2, 1, 1])
    let sorted = club.fetch(
      FetchDescriptor<Novel>(sortBy: [SortDescriptor(\.year, order: .reverse)])
        .sorted(by: \ReadingClub.novelWriter, SortDescriptor(\.name)))
    expectEqual(sorted.map(\.id), ["n4", "n3", "n2", "n1"])
  }
}

private struct Country: EntityType, Identifiable {
  let id: String
  var name: String
}

private struct Novelist: EntityType, Identifiable {
  let id: String
  var name: String
  var countryID: Country.EntityID
}

private struct Novel: EntityType, Identifiable {
  let id: String
  var year: Int
  var writerID: Novelist.EntityID?
}

private struct Reader: EntityType, Identifiable {
  let id: String
}

private struct ReadingTable: EntityType, Identifiable {
  let id: String
  var topic: String
}

private struct Seat: EntityType, Identifiable {
  let id: Int
  var readerID: Reader.EntityID
  var tableID: ReadingTable.EntityID
  var isLead: Bool
}

@NormalizedStorage
private struct ReadingClub {
  @Table var countries: Tables.Hash<Country> = .init()
  @Table var writers: Tables.Hash<Novelist> = .init()
  @Table var novels: Tables.Hash<Novel> = .init()
  @Table var readers: Tables.Hash<Reader> = .init()
  @Table var readingTables: Tables.Hash<ReadingTable> = .init()
  @Table var seats: Tables.Hash<Seat> = .init()
  @Relationship var writerCountry: ToOne<Novelist, Country> = .init(\.countryID)
  @Relationship var novelWriter: ToOne<Novel, Novelist> = .init(\.writerID, onDelete: .nullify)
  @Relationship var seatReader: ToOne<Seat, Reader> = .init(\.readerID, onDelete: .cascade)
  @Relationship var seatTable: ToOne<Seat, ReadingTable> = .init(\.tableID, onDelete: .cascade)

  static func sample() throws -> Self {
    var club = Self()
    try club.performBatchUpdates { context in
      context.modifying.countries.insert([
        .init(id: "no", name: "Norway"), .init(id: "us", name: "US"),
      ])
      context.modifying.writers.insert([
        .init(id: "sigrid", name: "Undset", countryID: "no"),
        .init(id: "ursula", name: "Le Guin", countryID: "us"),
        .init(id: "nobody", name: "Nobody", countryID: "no"),
      ])
      context.modifying.novels.insert([
        .init(id: "n1", year: 1920, writerID: "sigrid"),
        .init(id: "n2", year: 1925, writerID: "sigrid"),
        .init(id: "n3", year: 1974, writerID: "ursula"),
        .init(id: "n4", year: 1800, writerID: nil),
      ])
      context.modifying.readers.insert([.init(id: "ann"), .init(id: "bob")])
      context.modifying.readingTables.insert([
        .init(id: "t1", topic: "Crime"), .init(id: "t2", topic: "Poems"),
      ])
      context.modifying.seats.insert([
        .init(id: 1, readerID: "ann", tableID: "t1", isLead: true),
        .init(id: 2, readerID: "ann", tableID: "t2", isLead: false),
        .init(id: 3, readerID: "bob", tableID: "t1", isLead: false),
        .init(id: 4, readerID: "bob", tableID: "t2", isLead: true),
      ])
    }
    return club
  }
}
