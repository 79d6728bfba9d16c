import Entia
import EntiaJSON
import EntiaTestSupport
import Testing

@Entity
private struct Lamp {
  typealias MaybeInt = Int?

  let id: Int
  var watts = Int("60")
  var height: MaybeInt = 4
  var volts = 2 * 115
}

@NormalizedStorage
private struct Lamps {
  @Table var lamps: Tables.Ordered<Lamp> = .init()
}

@Suite("Optionals that the macro does not see, in JSON")
struct InferredOptionalTests {
  @Test("Null is nil, and nil is exported as null")
  func roundTrip() throws {
    var lamps = Lamps()
    let text = #"[{"id":1},{"height":null,"id":2,"volts":null,"watts":null}]"#
    try lamps.importJSON(source(text), of: Lamp.self)
    expectEqual(
      Array(lamps.lamps),
      [
        Lamp(id: 1), Lamp(id: 2, watts: nil, height: nil, volts: 230),
      ])
    let exported = String(decoding: try lamps.exportTables(), as: UTF8.self)
    expectTrue(exported.contains(#"{"id":2,"watts":null,"height":null,"volts":230}"#))
    let again = Importer.importingTables(
      [ImportSource(name: "tables", bytes: try lamps.exportTables())], into: Lamps())
    expectEqual(again.database, lamps)
  }
}
