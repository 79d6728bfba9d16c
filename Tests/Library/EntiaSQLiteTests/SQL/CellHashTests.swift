import EntiaTestSupport
import Testing

@testable import EntiaSQLite

@Suite("Hashes of cells")
struct CellHashTests {
  private func hash(_ value: StoredValue, id: StoredValue = .integer(1), column: String = "a")
    -> UInt64
  {
    let key = id.withColumn { CellHash.key(CellHash.emptyKey, adding: $0) }
    return value.withColumn {
      CellHash.hash(of: $0, rowKey: key, columnSeed: CellHash.seed(ofColumn: column))
    }
  }

  @Test("Hashes are the same in every version of the library: files store sums of them")
  func constant() {
    let values: [StoredValue] = [
      .null, .integer(0), .integer(-7), .real(1.5), .text(""), .text("text"),
      .text("a longer text of several words"), .blob([]), .blob([1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ]
    expectEqual(values.map { hash($0) }, Self.known)
    expectEqual(hash(.text("x"), id: .text("é"), column: "naïve"), Self.knownText)
  }

  private static let known: [UInt64] = [
    0,
    3_227_144_410_348_950_117,
    16_496_579_439_301_699_715,
    2_330_902_652_983_078_191,
    17_003_693_795_369_098_819,
    1_540_474_489_436_225_484,
    8_706_030_028_069_270_330,
    4_522_162_239_033_708_171,
    247_594_626_059_703_064,
  ]
  private static let knownText: UInt64 = 6_425_734_513_204_097_449

  @Test("The class, each byte, the row and the column of a value change its hash")
  func differing() {
    var values: [StoredValue] = [
      .integer(0), .integer(1), .integer(256), .real(0), .real(-0.0), .real(1), .text("0"),
      .text(""), .text("\0"), .text("\0\0"), .blob([]), .blob([0]), .blob([48]),
    ]
    for count in 1...40 {
      let bytes = [UInt8](repeating: 7, count: count)
      values.append(.blob(bytes))
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 1 << UInt8(index % 8)
        values.append(.blob(other))
      }
    }
    var hashes = values.map { hash($0) }
    hashes += values.map { hash($0, id: .integer(2)) }
    hashes += values.map { hash($0, column: "b") }
    expectTrue(Set(hashes).count == hashes.count && !hashes.contains(0))
  }

  @Test("IDs that SQLite takes as equal have equal keys")
  func equalIDs() {
    for (id, other) in [(1, 1.0), (0, -0.0), (-5, -5)] as [(Int64, Double)] {
      expectEqual(hash(.text("x"), id: .integer(id)), hash(.text("x"), id: .real(other)))
    }
    expectTrue(hash(.text("x"), id: .real(0.5)) != hash(.text("x"), id: .integer(0)))
  }

  @Test(
    "The values that a column stores as they are follow from its type as SQLite reads it",
    arguments: [
      ("", [true, true, true, true]), ("INTEGER", [true, false, false, true]),
      ("TEXT", [false, false, true, true]), ("integer", [true, false, false, true]),
      ("varchar(9)", [false, false, true, true]), ("DOUBLE", [false, true, false, true]),
      ("TINYBLOB", [true, true, true, true]), ("Decimal", [true, false, false, true]),
    ])
  func types(type: String, isStored: [Bool]) throws {
    let values: [StoredValue] = [.integer(5), .real(5), .text("5"), .blob([53])]
    let column = SummedColumn("a", type: type, isComputed: false)
    expectEqual(values.map { $0.withColumn { column.stores($0) } }, isStored)
    // SQLite indeed stores these in the same form.
    let connection = try SQLiteConnection(path: nil, mode: .readWrite)
    try connection.execute("CREATE TABLE t(a \(type))")
    for (value, isStored) in zip(values, isStored) where isStored {
      try connection.execute("DELETE FROM t")
      try connection.prepare("INSERT INTO t VALUES (?)").run([value])
      try expectEqual(connection.value("SELECT a FROM t"), value)
    }
  }
}
