import EntiaDatabase
import EntiaLaws

/// A place whose coordinates may be unknown, and no number then.
struct Position: Hashable, Comparable, Codable {
  var x: Double
  var y: Float

  static func < (lhs: Self, rhs: Self) -> Bool { (lhs.x, lhs.y) < (rhs.x, rhs.y) }
}

/// A measurement: a row that holds a NaN in any of its fields.
struct Reading: EntityType, Identifiable, Codable {
  let id: Int
  var value: Double
  var limit: Float?
  var position: Position
  var history: [Double] = []
  var stationID: Station.EntityID
  var nextIDs: [Reading.EntityID] = []
}

/// A row whose ID may be a NaN.
struct Station: EntityType, Identifiable, Codable {
  let id: Double
  var height: Double
}

/// Rows and keys that hold a NaN, in tables of both kinds and in indexes of every kind.
struct Weather: NormalizedStorageType, Codable {
  struct Contents: StorageContents {
    var readings = Tables.Hash<Reading>()
    var stations = Tables.Ordered<Station>()
    var byValue = Indexes.Hash<Reading, Double>(\.value)
    var byLimit = Indexes.GroupBy<Reading, Float>(\.limit)
    var byPosition = Indexes.GroupBy<Reading, Position>(\.position)
    var byHistory = Indexes.Hash<Reading, [Double]>(\.history)
    var byStation = Indexes.GroupBy<Reading, Station.EntityID>(\.stationID)
    var sortedValue = Indexes.Sorted<Reading, Double>(\.value)
    var sortedPosition = Indexes.Sorted<Reading, Position>(\.position)
    var sortedParts = Indexes.Sorted<Reading, SortKeys<Double, Descending<Float>>>(
      by: .ascending(\.value), .descending(\.position.y))
    var height = Indexes.Unique<Station, Double>(\.height)
    var sortedHeight = Indexes.Sorted<Station, Double>(\.height)
    var sortedStation = Indexes.Sorted<Station, Station.EntityID>(\.entityID)
    var readingStation = ToOne<Reading, Station>(\.stationID, onDelete: .cascade)
    var readingNext = ToMany<Reading, Reading>(\.nextIDs, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("readings", \.readings)
      visitor.table("stations", \.stations)
      visitor.index("byValue", \.byValue)
      visitor.index("byLimit", \.byLimit)
      visitor.index("byPosition", \.byPosition)
      visitor.index("byHistory", \.byHistory)
      visitor.index("byStation", \.byStation)
      visitor.index("sortedValue", \.sortedValue)
      visitor.index("sortedPosition", \.sortedPosition)
      visitor.index("sortedParts", \.sortedParts)
      visitor.index("height", \.height)
      visitor.index("sortedHeight", \.sortedHeight)
      visitor.index("sortedStation", \.sortedStation)
      visitor.relationship("readingStation", \.readingStation)
      visitor.relationship("readingNext", \.readingNext)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var readings: Tables.Hash<Reading> { snapshot.contents.readings }
  var stations: Tables.Ordered<Station> { snapshot.contents.stations }
  var contents: Contents { snapshot.contents }
}

/// Random edits of the weather: small domains with NaN, and zeros of both signs.
enum WeatherSubject: LawSubject {
  static let numbers: [Double] = [.nan, 0, -0.0, 1, -1, .infinity]

  static func number(_ random: inout SeededGenerator) -> Double {
    numbers[random.number(in: 0..<numbers.count)]
  }

  /// No zeros of both signs: those are equal IDs whose texts differ.
  static func stationID(_ random: inout SeededGenerator) -> Station.EntityID {
    Station.EntityID([.nan, 0, 1, -1, .infinity][random.number(in: 0..<5)])
  }

  static func edit(
    _ context: inout BatchContext<Weather>, using random: inout SeededGenerator
  ) throws {
    let id = Reading.EntityID(random.number(in: 0..<6))
    let station = stationID(&random)
    switch random.number(in: 0..<14) {
    case 0..<4: context.modifying.readings.insert(reading(id.raw, &random))
    case 4:
      let value = number(&random)
      context.modifying.readings.updateIfExists(id: id) { $0.value = value }
    case 5:
      let new = reading(id.raw, &random)
      context.modifying.readings.updateIfExists(id: id) { $0.position = new.position }
    case 6: context.modifying.readings.update(where: { !($0.value > 0) }, { $0.limit = .nan })
    case 7: context.modifying.readings.remove(id)
    case 8..<11: context.modifying.stations.insert(Self.station(&random))
    case 11:
      let height = number(&random)
      context.modifying.stations.updateIfExists(id: station) { $0.height = height }
    case 12: context.modifying.stations.move(station, to: 0)
    default: context.modifying.stations.remove(station)
    }
  }

  static func reading(_ id: Int, _ random: inout SeededGenerator) -> Reading {
    Reading(
      id: id, value: number(&random), limit: random.oneIn(3) ? nil : Float(number(&random)),
      position: Position(x: number(&random), y: Float(number(&random))),
      history: random.oneIn(2) ? [] : [Double(id % 2)], stationID: stationID(&random),
      nextIDs: random.oneIn(2) ? [] : [.init(random.number(in: 0..<6))])
  }

  static func station(_ random: inout SeededGenerator) -> Station {
    Station(id: stationID(&random).raw, height: number(&random))
  }
}
