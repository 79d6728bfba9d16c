import EntiaDatabase
import EntiaLaws
import Foundation

/// An entity with fields of many kinds, for predicates.
struct Disc: EntityType, Identifiable {
  struct Sleeve: Hashable, Codable, Sendable {
    var color: String
    var pages: Int
  }

  let id: Int
  var title: String
  var year: Int
  var rating: Double?
  var isLive: Bool
  var tags: [String]
  var plays: [String: Int]
  var sleeve: Sleeve?
  var box: Sleeve
  var sequelID: Disc.EntityID?
  var seconds: UInt8
  /// Not stored, so that it is read through its key path.
  var decade: Int { year / 10 }
  /// An ID of a disc that is not this one's.
  var twinID: Disc.EntityID { Disc.EntityID(id / 2) }

  init(
    id: Int, title: String = "", year: Int = 0, rating: Double? = nil, isLive: Bool = false,
    tags: [String] = [], plays: [String: Int] = [:], sleeve: Sleeve? = nil,
    box: Sleeve = Sleeve(color: "", pages: 0), sequelID: Disc.EntityID? = nil, seconds: UInt8 = 0
  ) {
    self.id = id
    self.title = title
    self.year = year
    self.rating = rating
    self.isLive = isLive
    self.tags = tags
    self.plays = plays
    self.sleeve = sleeve
    self.box = box
    self.sequelID = sequelID
    self.seconds = seconds
  }
}

extension Disc {
  /// A disc of few values, so that predicates meet what they ask for.
  static func random(id: Int, _ random: inout SeededGenerator) -> Disc {
    func word() -> String {
      ["", "a", "ab", "abc", "b", "a\u{10FFFF}", "a\u{10FFFF}b"][random.number(in: 0..<7)]
    }
    let sleeve = random.oneIn(2) ? Sleeve(color: word(), pages: random.number(in: 0..<3)) : nil
    return Disc(
      id: id, title: word(), year: random.number(in: -3..<4),
      rating: random.oneIn(3) ? nil : [0, 1.5, -1.5, .nan][random.number(in: 0..<4)],
      isLive: random.oneIn(2), tags: (0..<random.number(in: 0..<3)).map { _ in word() },
      plays: random.oneIn(2) ? [:] : [word(): random.number(in: 0..<3)], sleeve: sleeve,
      box: Sleeve(color: word(), pages: random.number(in: -1..<3)),
      sequelID: random.oneIn(2) ? nil : Disc.EntityID(random.number(in: 0..<4)),
      seconds: UInt8(random.number(in: 0..<256)))
  }
}
