import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Rows in memory")
struct RowChunkTests {
  static let values: [StoredValue] = [
    .null, .integer(.min), .integer(7), .real(-0.0), .real(.infinity), .text(""), .text("a\0é"),
    .text(String(repeating: "long ", count: 100_000)), .blob([]), .blob([0, 255]),
    .blob(Array(repeating: 7, count: 300_000)),
  ]

  @Test("Values come back from a row, from a statement that they are bound to, and from its result")
  func values() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let statement = try connection.prepare(
      "SELECT " + Self.values.map { _ in "?" }.joined(separator: ","))
    let chunk = RowChunk()
    for _ in 0..<2 {
      chunk.addRow(columnCount: Self.values.count)
      for (index, value) in Self.values.enumerated() { chunk.set(value, at: index) }
    }
    for row in [chunk[0], chunk.last] {
      for (index, value) in Self.values.enumerated() {
        expectEqual(row.value(at: index), value)
        expectTrue(row.has(value, at: index))
        expectFalse(row.has(.text("another"), at: index))
        try statement.bind(row, index, at: index)
      }
      let result = RowChunk()
      try expectTrue(statement.step())
      result.add(statement.row, columnCount: statement.columnCount)
      expectEqual(Self.values.indices.map { result.last.value(at: $0) }, Self.values)
      statement.reset()
    }
    chunk.reset()
    expectEqual(chunk.count, 0)
    expectEqual(chunk.last.value(at: 0), .null)
  }

  @Test("A row has NULL in columns that later rows add, and keeps its values when others are added")
  func columns() {
    let chunk = RowChunk()
    for count in 0..<200 {
      chunk.addRow(columnCount: count)
      chunk.extendRow(by: 1)
      chunk.set(.text("\(count)"), at: count)
    }
    for index in 0..<200 {
      expectEqual(chunk[index].value(at: index), .text("\(index)"))
      expectEqual(chunk[index].value(at: index + 1), .null)
      expectTrue(index == 0 || chunk[index].value(at: 0) == .null)
    }
  }

  @Test("A value of a row is the same as another one if its class and its bytes are")
  func sameValues() {
    let values: [StoredValue] = [
      .null, .integer(0), .integer(1), .real(0), .real(-0.0), .real(1), .real(.nan), .text(""),
      .text("a"), .text("e\u{301}"), .text("é"), .text("a\0"), .blob([]), .blob([97]),
      .text("a longer text of several words"), .text("a longer text of several wordz"),
    ]
    let chunk = RowChunk()
    chunk.addRow(columnCount: values.count)
    for (index, value) in values.enumerated() { chunk.set(value, at: index) }
    for index in values.indices {
      for (other, value) in values.enumerated() {
        expectEqual(chunk[0].has(value, at: index), index == other, "\(value) \(values[index])")
      }
    }
    expectTrue(chunk[0].has(StoredValue.null, at: .max))
    expectFalse(ChunkRow.none.has(StoredValue.integer(0), at: 0))
  }

  @Test("A result is read in chunks, and a row with much text ends one")
  func chunks() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let count = 2 * RowChunk.rowLimit + 1
    let taken = try connection.takenRows()
    let statement = try connection.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1)) "
        + TakenRows.sql(["i", "CASE i WHEN 3 THEN zeroblob(\(RowChunk.byteLimit)) END"], from: "n"))
    let chunk = RowChunk()
    var sizes: [Int] = []
    var numbers: [Int64] = []
    var hasMore = true
    while hasMore {
      hasMore = try taken.fill(chunk, from: statement, columnCount: 2)
      sizes.append(chunk.count)
      for index in 0..<chunk.count { numbers.append(chunk[index].integer(at: 0)) }
    }
    expectEqual(sizes, [4, RowChunk.rowLimit, RowChunk.rowLimit - 3])
    expectEqual(numbers, (0..<Int64(count)).map { $0 })
  }

  @Test("Rows of up to 400 columns are copied whole, and an error of a row is thrown")
  func taken() throws {
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    let taken = try connection.takenRows()
    let chunk = RowChunk()
    for count in [1, 89, 90, 91, 180, 400] {
      let columns = (0..<count).map { "i * 1000 + \($0)" }
      let statement = try connection.prepare(
        "WITH n(i) AS (VALUES (1), (2)) " + TakenRows.sql(columns, from: "n"))
      try expectFalse(taken.fill(chunk, from: statement, columnCount: count))
      expectEqual(chunk.count, 2)
      for row in 0..<chunk.count {
        expectEqual(
          (0..<count).map { chunk[row].integer(at: $0) },
          (0..<Int64(count)).map { Int64(row + 1) * 1000 + $0 })
      }
    }
    let failing = try connection.prepare(
      "WITH n(i) AS (VALUES (1), (2)) " + TakenRows.sql(["abs(i - 2 + (-1 << 63))"], from: "n"))
    #expect(throws: SQLiteFailure.self) {
      try taken.fill(chunk, from: failing, columnCount: 1)
    }
  }
}
