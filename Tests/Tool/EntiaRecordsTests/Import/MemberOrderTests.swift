import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Testing

@Suite("The order of members")
struct MemberOrderTests {
  private let options = ImportOptions(
    format: .nested, schema: Schema([Schema.Entity("rows")]), root: "rows")

  /// The rows of a database, each as one line.
  private func rows(_ database: RecordDatabase?) throws -> [String] {
    let database = try #require(database)
    var text = ""
    database.write(
      try database.rows(RecordSelection(of: "rows")), of: "rows", as: .ndjson
    ) { text += String(decoding: $0, as: UTF8.self) }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("rows keep the order in which their members were read")
  func input() throws {
    let text = #"[{"zeta":1,"id":2,"alpha":null},{"alpha":4,"zeta":3,"id":1}]"#
    let database = try #require(importing([text], options).database)
    let expected = [#"{"id":2,"zeta":1,"alpha":null}"#, #"{"id":1,"alpha":4,"zeta":3}"#]
    try expectEqual(rows(database), expected)
    expectEqual(
      database.nested("rows"),
      "[\n  {\"id\":2,\"zeta\":1,\"alpha\":null},\n  {\"id\":1,\"alpha\":4,\"zeta\":3}\n]\n")
    let members = database.record(RecordID(entity: "rows", key: .number(JSONNumber(2))))?.members
    expectEqual(members?.map(\.name), ["zeta", "alpha"])
  }

  @Test("an equal record with another order changes nothing; new members follow the row's own")
  func combining() throws {
    let first = try #require(importing([#"[{"id":1,"b":1,"a":{"y":1,"x":2}}]"#], options).database)
    let (same, report) = importing([#"[{"a":{"x":2,"y":1},"id":1,"b":1}]"#], into: first, options)
    expectEqual(report.unchanged, 1)
    expectEqual(same?.text, first.text)
    let (more, _) = importing([#"[{"c":3,"a":{"x":2,"y":1},"0":0,"id":1}]"#], into: first, options)
    try expectEqual(rows(more), [#"{"id":1,"b":1,"a":{"x":2,"y":1},"c":3,"0":0}"#])
  }

  @Test("columns have the order of the rows; a member of some rows follows its predecessor")
  func columns() throws {
    let text = #"[{"id":1,"z":1,"a":2},{"id":2,"z":1,"m":5,"a":2},{"id":3,"first":0,"z":1,"q":4}]"#
    let database = try #require(importing([text], options).database)
    var csv = ""
    database.write(
      try database.rows(RecordSelection(of: "rows")), of: "rows", as: .csv
    ) { csv += String(decoding: $0, as: UTF8.self) }
    expectEqual(csv, "id,first,z,q,m,a\r\n1,,1,,,2\r\n2,,1,,5,2\r\n3,0,1,4,,\r\n")
  }

  @Test("Law 30: what is read again is written as the same bytes, whatever the order of members")
  func law() throws {
    for seed in 0..<UInt64(scaled(20)) {
      var random = SeededGenerator(seed: seed)
      func texts(shuffled: Bool) -> [String] {
        (0..<6).map { id in
          var members = ["a", "B", "b", "é", "", "zz"].enumerated().compactMap { index, name in
            (id + index) % 3 == 0 ? nil : "\"\(name)\":{\"y\":\(index),\"x\":[\(id)]}"
          }
          if shuffled { members.shuffle(using: &random) }
          return "{\"id\":\(id)" + members.map { "," + $0 }.joined() + "}"
        }
      }
      let plain = "[" + texts(shuffled: false).joined(separator: ",") + "]"
      let shuffled = "[" + texts(shuffled: true).joined(separator: ",") + "]"
      let one = try #require(importing([plain], options).database, "seed \(seed)")
      let other = try #require(importing([shuffled], options).database, "seed \(seed)")
      expectEqual(one, other, "seed \(seed)")
      expectEqual(one.canonicalText, other.canonicalText, "seed \(seed)")
      expectTrue(one.difference(from: other).isEmpty, "seed \(seed)")
      let again = RecordDatabase.read(ImportSource(name: "db", bytes: other.write())).database
      expectEqual(again?.text, other.text, "seed \(seed)")
      let (merged, report) = importing([shuffled], into: one, options)
      expectTrue(report.unchanged == 6 && merged?.text == one.text, "seed \(seed)")
    }
  }
}
