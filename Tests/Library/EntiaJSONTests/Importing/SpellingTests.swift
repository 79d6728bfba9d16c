import Entia
import EntiaDatabase
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaJSON

private struct Visit: EntityType, Identifiable, Codable {
  let id: String
  var visitedAt: Date
  var hostID: TypedAuthor.EntityID
  var isLong: Bool
}

private struct Guestbook: NormalizedStorageType {
  struct Contents: StorageContents {
    var visits = Tables.Hash<Visit>()
    var authors = Tables.Hash<TypedAuthor>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("visits", \.visits)
      visitor.table("authors", \.authors)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var visits: Tables.Hash<Visit> { snapshot.contents.visits }
  var authors: Tables.Hash<TypedAuthor> { snapshot.contents.authors }
}

@Entity(id: "shelfName", "slotNumber")
private struct Slot {
  let shelfName: String
  let slotNumber: Int
}

private struct Detail: Codable, Hashable {
  var isFull: Bool
}

/// An entity with dictionaries of several keys.
@Entity
private struct Owner {
  let id: String
  var bySlot: [Slot.EntityID: Int] = [:]
  var detailsBySlot: [Slot.EntityID: [String: Detail]]?
  var byOwner: [Owner.EntityID: Int] = [:]
  var byNumber: [Int: String] = [:]
}

@NormalizedStorage
private struct Depot {
  @Table var slots: Tables.Hash<Slot> = .init()
  @Table var owners: Tables.Hash<Owner> = .init()
}

@Suite("Spellings of names and dates")
struct SpellingTests {
  private let host = TypedAuthor(id: "a", name: "Ann", friend: nil)

  private func book(_ dates: [Date]) -> Guestbook {
    var book = Guestbook()
    do {
      try book.performBatchUpdates { context in
        context.modifying.authors.insert(host)
        for (index, date) in dates.enumerated() {
          context.modifying.visits.insert(
            Visit(id: "v\(index)", visitedAt: date, hostID: "a", isLong: index % 2 == 0))
        }
      }
    } catch {
      Issue.record("\(error)")
    }
    return book
  }

  private func imported(
    _ bytes: [UInt8], _ keys: KeySpelling, _ dates: DateSpelling?
  ) -> TypedImport<Guestbook, Visit> {
    Importer.importing(
      [ImportSource(name: "in.json", bytes: bytes)], of: Visit.self, into: Guestbook(),
      options: TypedImportOptions(keys: keys, dates: dates))
  }

  private let capitals = KeySpelling.custom { "_" + $0.uppercased() }

  @Test("Keys of dictionaries are read and written as they are, with every spelling")
  func dictionaries() throws {
    let slots = ["Left_Shelf", "left-shelf", "leftShelf", "LEFTSHELF"].map {
      Slot.EntityID(.init(shelfName: $0, slotNumber: 1))
    }
    var owner = Owner(id: "o")
    for (number, slot) in slots.enumerated() {
      owner.bySlot[slot] = number
      owner.detailsBySlot = [
        slot: ["isFull": Detail(isFull: true), "is_full": Detail(isFull: false)]
      ]
    }
    for (number, name) in ["anOwner", "an_owner", "an-owner", "AnOwner", "_X"].enumerated() {
      owner.byOwner[Owner.EntityID(name)] = number
      owner.byNumber[number] = name
    }
    var depot = Depot()
    depot.performBatchUpdates { context in context.modifying.owners.insert(owner) }
    for keys in [KeySpelling.same, .snakeCase, .kebabCase, capitals] {
      let json = try depot.exportJSON(Owner.self, options: TypedExportOptions(keys: keys))
      let text = String(decoding: json, as: UTF8.self)
      expectTrue(text.contains(#""{\"shelfName\":\"leftShelf\",\"slotNumber\":1}":2"#), "\(text)")
      expectTrue(text.contains(#""an_owner":1"#) && text.contains(#""anOwner":0"#), "\(text)")
      var imported = Depot()
      try imported.importJSON(
        ImportSource(name: "in.json", bytes: json), of: Owner.self,
        options: TypedImportOptions(keys: keys))
      expectEqual(imported.owners.map { $0 }, [owner], "\(text)")
    }
    expectTrue(
      String(
        decoding: try depot.exportJSON(
          Owner.self, options: TypedExportOptions(keys: .snakeCase)), as: UTF8.self
      ).contains(#""is_full":{"is_full":false}"#))
  }

  @Test("A key that is no ID is reported with the entity, the place and the missing member")
  func badKeys() throws {
    func problems(_ owner: String) -> [String] {
      var depot = Depot()
      do {
        try depot.importJSON(source("[\(owner)]"), of: Owner.self)
        return []
      } catch {
        return (error as? ImportProblems)?.problems.map(\.description) ?? ["\(error)"]
      }
    }
    let other = problems(##"{"id":"o","bySlot":{"{\"shelf_name\":\"s\",\"slotNumber\":1}":3}}"##)
    expectTrue(other.count == 1 && other[0].contains("is not an ID of Slot"), "\(other)")
    expectEqual(other.first?.contains(#"there is no "shelfName" in it"#), true, "\(other)")
    expectEqual(other.first?.contains("bySlot"), true, "\(other)")
    let plain = problems(#"{"id":"o","detailsBySlot":{"s":{}}}"#)
    expectTrue(
      plain.count == 1 && plain[0].contains(#"the key "s" is not an ID of Slot"#), "\(plain)")
  }

  @Test("every spelling is read as it is written, in nested records too")
  func keys() throws {
    let book = book([Date(timeIntervalSinceReferenceDate: 0)])
    for (keys, names) in [
      (KeySpelling.same, ["id", "visitedAt", "hostID", "isLong", "name"]),
      (.snakeCase, ["id", "visited_at", "host_id", "is_long", "name"]),
      (.kebabCase, ["id", "visited-at", "host-id", "is-long", "name"]),
      (capitals, ["_ID", "_VISITEDAT", "_HOSTID", "_ISLONG", "_NAME"]),
    ] {
      let bytes = try book.exportJSON(
        Visit.self, depth: 1, options: TypedExportOptions(keys: keys))
      let text = String(decoding: bytes, as: UTF8.self)
      for name in names { expectTrue(text.contains("\"\(name)\":"), "\(name) in \(text)") }
      let result = imported(bytes, keys, nil)
      expectTrue(result.report.problems.isEmpty && result.database == book)
    }
    let nested = #"{"_ID":"v","_VISITEDAT":0,"_HOST":{"_ID":"a","_NAME":"Ann"},"_ISLONG":1}"#
    expectEqual(
      imported(Array(nested.utf8), capitals, .plain).report.problems.map(\.description),
      [
        "in.json: $._ISLONG: error: typeMismatch: expected a Bool, found a number"
      ])
  }

  @Test("a missing member is named in the spelling of the records")
  func missingMembers() {
    let text =
      #"[{"visited_at": "2026-11-21T15:30:00Z"}, {"id": "v", "visited_at": "2026-11-21T15:30:00Z"}]"#
    for (keys, id, host) in [
      (KeySpelling.snakeCase, "id", "host_id"), (.custom { "_" + $0 }, "_id", "_id"),
    ] {
      let problems = Importer.importing(
        [source(text)], of: Visit.self, into: Guestbook(), options: TypedImportOptions(keys: keys)
      ).report.problems
      expectEqual(
        problems.map(\.message),
        ["this record of visits has no \"\(id)\"", "this record of visits has no \"\(host)\""])
      expectEqual(problems.first?.kind, .missingID)
    }
  }

  @Test("a number is no date unless the option says what it counts; ISO 8601 needs no option")
  func unspecifiedDates() throws {
    let rows = #"[{"id":"v","visitedAt":1795275000,"hostID":"a","isLong":true}]"#
    expectEqual(
      imported(Array(rows.utf8), .same, nil).report.problems.map(\.description),
      [
        "in.json: $[0].visitedAt: error: typeMismatch: the number may count seconds or milliseconds "
          + "since 1970, or seconds since 2001; import with the option 'dates', such as "
          + "'dates: .secondsSince1970'"
      ])
    let text = #"[{"id":"v","visitedAt":"2026-11-21T15:30:00Z","hostID":"a","isLong":true}]"#
    let read = imported(Array(text.utf8), .same, nil).database?.visits.find(by: "v")
    expectEqual(read?.visitedAt, Date(timeIntervalSince1970: 1_795_275_000))
    let counted = imported(Array(rows.utf8), .same, .secondsSince1970).database
    expectEqual(counted?.visits.find(by: "v")?.visitedAt, read?.visitedAt)
    let book = book([Date(timeIntervalSince1970: 1_795_275_000)])
    let exported = try book.exportJSON(Visit.self, depth: 1)
    expectTrue(String(decoding: exported, as: UTF8.self).contains("\"2026-11-21T15:30:00Z\""))
  }

  @Test("dates are read as they are written, exactly if they are seconds since 2001")
  func dates() throws {
    var random = SystemRandomNumberGenerator()
    var dates = [
      0, -0.25, 0.25, 1e-7, -1e-7, -1e-20, 1.5e-9, .leastNonzeroMagnitude, -62_000_000_000.75,
      252_423_993_599.5,
      -63_113_904_000, 804_967_800.123456, 0.1 + 0.2, -978_307_200.000001,
    ].map { Date(timeIntervalSinceReferenceDate: $0) }
    for _ in 0..<200 {
      dates.append(Date(timeIntervalSinceReferenceDate: .random(in: -2e9...2e9, using: &random)))
    }
    let book = book(dates)
    let day = DateFormatter()
    day.dateFormat = "yyyy-MM-dd"
    day.timeZone = TimeZone(secondsFromGMT: 0)
    day.locale = Locale(identifier: "en_US_POSIX")
    let bits = DateSpelling.custom(
      decoding: {
        Date(
          timeIntervalSinceReferenceDate: Double(
            bitPattern: try $0.singleValueContainer().decode(UInt64.self)))
      },
      encoding: { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.timeIntervalSinceReferenceDate.bitPattern)
      })
    for dates in [DateSpelling.plain, .iso8601, bits] {
      let bytes = try book.exportJSON(
        Visit.self, depth: 1, options: TypedExportOptions(dates: dates))
      expectEqual(imported(bytes, .same, dates).database, book)
    }
    let days = self.book([Date(timeIntervalSinceReferenceDate: 86400 * 9)])
    let bytes = try days.exportJSON(
      Visit.self, depth: 1, options: TypedExportOptions(dates: .formatted(day)))
    expectTrue(String(decoding: bytes, as: UTF8.self).contains(#""visitedAt":"2001-01-10""#))
    expectEqual(imported(bytes, .same, .formatted(day)).database, days)
    let wrong = #"{"id":"v","visitedAt":"x","hostID":"a","isLong":true}"#
    expectEqual(
      imported(Array(wrong.utf8), .same, .formatted(day)).report.problems.map(\.message),
      [
        "\"x\" is no date of the format \"yyyy-MM-dd\""
      ])
  }

  @Test("ISO 8601 includes the fraction of a second, in any zone")
  func fractions() throws {
    for (text, seconds) in [
      ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:00.25Z", 0.25),
      ("2000-12-31T23:59:59.75Z", -0.25),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      expectEqual(ISO8601Text.text(of: date), text)
      expectEqual(ISO8601Text.date(text), date)
    }
    expectEqual(
      ISO8601Text.date("2001-01-01T02:00:00.500+02:00"), ISO8601Text.date("2001-01-01T00:00:00.5Z"))
    expectEqual(ISO8601Text.date("2001-01-01T00:00:00.000Z")?.timeIntervalSinceReferenceDate, 0)
    for text in [
      "2001.1-01-01T00:00:00Z", "2001-01-01T00:00.5:00Z", "2001-01-01T00:00:00.Z", "x", ".5Z", "",
      "2001-01-01T00:00:00.5", "2001-01-01T00:00:00.5x",
    ] {
      expectNil(ISO8601Text.date(text), "\(text)")
    }
    for seconds in [Double.nan, .infinity, -1e12, 1e15] {
      expectNil(ISO8601Text.text(of: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    #expect(throws: EncodingError.self) {
      try book([Date(timeIntervalSinceReferenceDate: 1e12)])
        .exportJSON(Visit.self, options: TypedExportOptions(dates: .iso8601))
    }
  }
}
