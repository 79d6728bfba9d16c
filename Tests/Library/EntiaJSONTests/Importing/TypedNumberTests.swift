import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// An entity with a property of each kind of number.
private struct Gauge: EntityType, Identifiable, Codable {
  let id: Int
  var count: Int?
  var small: Int8?
  var large: UInt64?
  var half: Float?
  var real: Double?
  var price: Decimal?
  var bytes: Data?
}

private struct Gauges: NormalizedStorageType {
  struct Contents: StorageContents {
    var gauges = Tables.Hash<Gauge>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("gauges", \.gauges) }
  }

  typealias Refusal = any Error
  var snapshot = Snapshot(Contents())
}

@Suite("Numbers of typed imports")
struct TypedNumberTests {
  private func gauge(_ member: String) -> (gauge: Gauge?, problems: [String]) {
    let result = Importer.importing(
      [source("[{\"id\":1,\(member)}]")], of: Gauge.self, into: Gauges())
    return (
      result.database?.snapshot.contents.gauges.find(by: 1),
      result.report.problems.map { "\($0.path): \($0.message)" }
    )
  }

  @Test("an integer is read digit by digit, with a point and an exponent too")
  func integers() {
    for (text, value) in [
      ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740993", 9_007_199_254_740_993),
      ("-9223372036854775808", .min), ("-9223372036854775808.000", .min),
      ("9223372036854775807e0", .max), ("922337203685477580.7e1", .max),
      ("90071992547409930e-1", 9_007_199_254_740_993), ("1e3", 1000), ("1.50e2", 150),
      ("-0", 0), ("0.000", 0), ("0e99999999999999999999", 0), ("100E-2", 1),
      ("0.000000000000000001e18", 1),
    ] {
      expectEqual(gauge("\"count\":\(text)").gauge?.count, value, "\(text)")
    }
    expectEqual(gauge("\"large\":1844674407370955161.5e1").gauge?.large, .max)
    expectEqual(gauge("\"small\":-1.28e2").gauge?.small, -128)
  }

  @Test("bytes are read from Base64, as JSONEncoder writes them, and from an array of numbers")
  func bytes() throws {
    expectEqual(gauge(#""bytes":"AAH/""#).gauge?.bytes, Data([0, 1, 255]))
    expectEqual(gauge(#""bytes":"""#).gauge?.bytes, Data())
    expectEqual(gauge(#""bytes":[0,1,255]"#).gauge?.bytes, Data([0, 1, 255]))
    let known = Gauge(id: 1, bytes: Data([7, 0, 9]))
    var gauges = Gauges()
    try gauges.performBatchUpdates { $0.modifying.gauges.insert(known) }
    let texts = try [
      String(decoding: JSONEncoder().encode([known]), as: UTF8.self),
      String(decoding: gauges.exportJSON(Gauge.self), as: UTF8.self),
    ]
    for text in texts {
      let read = Importer.importing([source(text)], of: Gauge.self, into: Gauges()).database
      expectEqual(read?.snapshot.contents.gauges.find(by: 1), known)
    }
    expectEqual(gauge(#""bytes":"A""#).problems, ["$[0].bytes: \"A\" is no Base64"])
    expectEqual(gauge(#""bytes":1"#).problems, ["$[0].bytes: expected an array, found a number"])
  }

  @Test("a number that does not fit its type is a problem with its path")
  func misfits() {
    for (member, text, type) in [
      ("count", "9223372036854775808", "Int"), ("count", "9223372036854775807.5", "Int"),
      ("count", "9223372036854775808.0", "Int"), ("count", "1e19", "Int"),
      ("count", "1e99999999999999999999", "Int"), ("count", "1e-99999999999999999999", "Int"),
      ("count", "0.5", "Int"), ("small", "128", "Int8"), ("small", "1.3e2", "Int8"),
      ("large", "-1", "UInt64"), ("large", "18446744073709551616.0", "UInt64"),
      ("half", "1e39", "Float"), ("real", "1e400", "Double"), ("price", "1e200", "Decimal"),
      ("price", "1234567890123456789012345678901234567890123456789", "Decimal"),
    ] {
      let (gauge, problems) = gauge("\"\(member)\":\(text)")
      expectTrue(gauge == nil && problems == ["$[0].\(member): \(text) does not fit \(type)"])
    }
  }

  @Test("Float and Decimal are decoded from the digits without an intermediate Double")
  func others() {
    // Rounded to Double first, this would be rounded down to an even Float.
    let text = "1.00000017881393432617187499"
    expectEqual(gauge("\"half\":\(text)").gauge?.half, Float(text))
    expectEqual(
      gauge("\"price\":0.12345678901234567890123456789").gauge?.price,
      Decimal(string: "0.12345678901234567890123456789"))
  }

  @Test("negative zero and a Decimal that is no number are written as they are or refused")
  func writing() throws {
    var gauges = Gauges()
    try gauges.performBatchUpdates {
      _ = $0.modifying.gauges.insert(Gauge(id: 1, real: -0.0))
    }
    let bytes = try gauges.exportJSON(Gauge.self)
    expectTrue(String(decoding: bytes, as: UTF8.self).contains("\"real\":-0"))
    try gauges.performBatchUpdates {
      _ = $0.modifying.gauges.insert(Gauge(id: 2, price: .nan))
    }
    #expect(throws: EncodingError.self) { try gauges.exportJSON(Gauge.self) }
  }
}
