import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Texts that are not UTF-8")
struct InvalidTextTests {
  /// Texts in hex that are not UTF-8, with invalid sequences of each length, at the start and the
  /// end, and among other characters.
  static let invalid = [
    "c328ff", "ff", "80", "c0af", "e282", "f09f98", "f09f9841", "41f09f98", "eda080", "f4908080",
    "f88888", "efbfbdff", "f09f9880f09f98", "6162636465666768696af09f98",
    "6162636465666768696ae2826162636465666768",
  ]
  /// Valid texts, some with U+FFFD.
  static let valid = [
    "", "a", "\u{FFFD}", "a\u{FFFD}b", "😀", "\u{FFFD}😀", "ä€😀\u{10FFFF}",
    "a long text with a 😀 and with \u{FFFD}", "\0",
  ]

  private func value(_ sql: String, on file: DatabaseFile<Shop>) throws -> StoredValue? {
    try file.withTurn { try $0.connection.value(sql) }
  }

  private func edit(_ sql: String, on file: DatabaseFile<Shop>) throws {
    try file.withTurn { try $0.connection.edit(sql) }
  }

  @Test(
    "A row with one is an error or skipped, and saves leave its bytes",
    arguments: InvalidTextTests.invalid)
  func members(hex: String) throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    // Rows of both kinds of code, required and optional members, and a nested value.
    let places = [
      ("notes", "text", "b"), ("items", "name", "2"), ("items", "noteID", "2"),
      ("notes", "labels", "b"),
    ]
    for (table, column, id) in places {
      let former = try value("SELECT hex(\(column)) FROM \(table) WHERE id='\(id)'", on: file)
      let new = "cast(x'\(hex)' as text)"
      try edit("UPDATE \(table) SET \(column)=\(new) WHERE id='\(id)'", on: file)
      let error = #expect(throws: DatabaseFileError.self) { try file.load() }
      guard case .cannotDecode(_, table, _, let found, let reason) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      expectEqual(found, column)
      expectTrue(reason.contains("not UTF-8"))
      let loaded = try file.load(onBrokenRow: .skip)
      expectEqual(loaded.skippedRows.map(\.column), [column])
      var shop = loaded.database
      shop.performBatchUpdates { context in
        context.modifying.notes.insert(Note(id: "new", text: "\(column)\(table)"))
        _ = context.modifying.items.insert(Item(id: 77, name: "\(column)\(table)"), at: 0)
      }
      try file.save(shop)
      try expectEqual(
        value("SELECT hex(\(column)) FROM \(table) WHERE id='\(id)'", on: file),
        .text(hex.uppercased()))
      guard case .text(let bytes) = former else {
        try edit("UPDATE \(table) SET \(column)=NULL WHERE id='\(id)'", on: file)
        continue
      }
      try edit("UPDATE \(table) SET \(column)=cast(x'\(bytes)' as text) WHERE id='\(id)'", on: file)
      _ = try file.load()
    }
  }

  @Test("IDs of rows and held IDs are errors too", arguments: InvalidTextTests.invalid)
  func ids(hex: String) throws {
    let file = try DatabaseFile<Shop>.inMemory()
    try file.save(DatabaseFileTests.sample())
    try edit("UPDATE notes SET id=cast(x'\(hex)' as text) WHERE id='a'", on: file)
    let error = #expect(throws: DatabaseFileError.self) { try file.load() }
    guard case .cannotDecode(_, "notes", _, "id", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try edit("DELETE FROM notes WHERE id<>'b'", on: file)
    _ = try file.load(onBrokenRow: .skip)
    try edit("INSERT INTO marks(entia_id) VALUES (cast(x'\(hex)' as text))", on: file)
    let skipped = try file.load(onBrokenRow: .skip).skippedRows
    expectEqual(skipped.map(\.table), ["marks"])
  }

  @Test("A migration does not write over the bytes")
  func migration() throws {
    let folder = try TemporaryFolder()
    try OldShop.save(to: folder.file())
    let other = try SQLiteConnection(path: folder.file(), mode: .readWrite)
    try other.execute("UPDATE books SET name=cast(x'c328ff' as text) WHERE id=1")
    try other.close()
    let migration = Migration.transforming("books", named: "pages") { row in
      var row = row
      row.members["pages"] = .integer(1)
      return row
    }
    let error = #expect(throws: DatabaseFileError.self) {
      try DatabaseFile<OldShop>(path: folder.file(), migrations: [migration])
    }
    guard case .cannotMigrate(_, "pages", "books", "1", let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectTrue(reason.hasPrefix("name: "))
  }

  @Test(
    "Valid texts are read as they are, also those with U+FFFD", arguments: InvalidTextTests.valid)
  func accepted(text: String) throws {
    let file = try DatabaseFile<Shop>.inMemory()
    var shop = Shop()
    shop.performBatchUpdates { context in
      context.modifying.notes.insert(Note(id: text, text: text, labels: [text]))
      context.modifying.items.insert(Item(id: 1, name: text, noteID: .init(text)))
      context.modifying.marks.insert(.init(text))
    }
    try file.save(shop)
    try expectEqual(file.load(), shop)
    try expectTrue(file.load(onBrokenRow: .skip).skippedRows.isEmpty)
  }
}

@Suite("Nested values that cannot be read")
struct BrokenNestedValueTests {
  @Test("The message names the column, and the member in it")
  func member() throws {
    let row = RowFailure(
      .decoding, table: "notes", row: "a",
      DecodingError.keyNotFound(
        NestedKey.member,
        .init(codingPath: [NestedKey.column], debugDescription: "No value associated…")))
    expectTrue(row.column == "column" && row.reason == "it has no member member")
    let decoder = RowDecoder(members: ["place"])
    for (text, path) in [
      ("{\"names\":[]}", "place"), ("{\"city\":1,\"names\":[]}", "place.city"),
      ("{\"city\":\"\",\"names\":[2]}", "place.names.[0]"), ("{", "place"), ("[]", "place"),
    ] {
      let chunk = RowChunk()
      chunk.addRow(columnCount: 1)
      chunk.setText(text, at: 0)
      decoder.begin(chunk[0])
      let error = #expect(throws: DecodingError.self) { try decoder.decode(Placed.self) }
      let failure = RowFailure(.decoding, table: "t", row: "1", try #require(error))
      expectEqual(failure.column, path, "\(text)")
    }
  }

  @Test("A number that its type cannot hold is an error of its column", arguments: ["300", "-1"])
  func unrepresentable(number: String) throws {
    let chunk = RowChunk()
    chunk.addRow(columnCount: 1)
    chunk.setText("[1,\(number)]", at: 0)
    let decoder = RowDecoder(members: ["bytes"])
    decoder.begin(chunk[0])
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Numbers.self) }
    let failure = RowFailure(.decoding, table: "t", row: "1", try #require(error))
    expectEqual(failure.column, "bytes")
    expectEqual(failure.reason, "\"[1,\(number)]\" has a number that its type cannot hold")
  }

  private struct Numbers: Decodable { let bytes: [UInt8] }
  private enum NestedKey: String, CodingKey { case column, member }
  private struct Placed: Decodable { let place: SampleMembers.Place }
}
