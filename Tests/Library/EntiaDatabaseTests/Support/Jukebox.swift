import EntiaDatabase
import EntiaLaws

struct Presser: EntityType, Identifiable, Codable {
  let id: Int
  var name = 0
}

struct Vinyl: EntityType, Identifiable, Codable {
  let id: Int
  var makerID: Presser.EntityID
  var coverID: Presser.EntityID?
}

/// A row that hangs on others by a rule of every kind.
struct Spin: EntityType, Identifiable, Codable {
  let id: Int
  var discID: Vinyl.EntityID?
  var discIDs: [Vinyl.EntityID] = []
  var lostID: Vinyl.EntityID?
  var code = 0
  var side: Int?

  /// The presser to which two members lead together.
  var labelID: Presser.EntityID? { side.map { .init(code + $0) } }
}

/// A storage for histories of forks: tables in orders of their own, held IDs, and relationships
/// with every delete rule, also of holders, some of them required.
struct Jukebox: NormalizedStorageType {
  struct Contents: StorageContents {
    var makers = Tables.Hash<Presser>()
    var discs = Tables.Ordered<Vinyl>()
    var plays = Tables.Ordered<Spin>()
    var discMaker = ToOne<Vinyl, Presser>(\.makerID, onDelete: .cascade)
    var discCover = ToOne<Vinyl, Presser>(
      \.coverID, onDelete: .nullify, onHolderDelete: .cascade)
    var playDisc = ToOne<Spin, Vinyl>(\.discID)
    var playDiscs = ToMany<Spin, Vinyl>(\.discIDs, onDelete: .nullify, count: .atMost(2)).required()
    var playLost = ToOne<Spin, Vinyl>(\.lostID, onDelete: .keepDangling)
    var playLabel = ToOne<Spin, Presser>(\.labelID, onDelete: .cascade)
    var code = Indexes.Unique<Spin, Int>(\.code, where: { $0.code > 0 })
    var favorites = Indexes.OrderedID<Vinyl>()
    var unheard = Indexes.Set<Vinyl>()
    var queue = Indexes.OrderedID<Spin>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("makers", \.makers)
      visitor.table("discs", \.discs)
      visitor.table("plays", \.plays)
      visitor.relationship("discMaker", \.discMaker)
      visitor.relationship("discCover", \.discCover)
      visitor.relationship("playDisc", \.playDisc)
      visitor.relationship("playDiscs", \.playDiscs)
      visitor.relationship("playLost", \.playLost)
      visitor.relationship("playLabel", \.playLabel)
      visitor.index("code", \.code)
      visitor.index("favorites", \.favorites)
      visitor.index("unheard", \.unheard)
      visitor.index("queue", \.queue)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

/// Random edits of every table, of their orders and of the held IDs.
enum JukeboxSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Jukebox>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let disc = Vinyl.EntityID(random.number(in: 0..<6))
    let play = Spin.EntityID(random.number(in: 0..<6))
    let position = random.number(in: 0..<7)
    switch random.number(in: 0..<22) {
    case 0..<2: context.modifying.makers.insert(Presser(id: number, name: position))
    case 2: context.modifying.makers.remove(.init(number))
    case 3..<6:
      let cover = random.oneIn(2) ? nil : Presser.EntityID(random.number(in: 0..<6))
      context.modifying.discs.insert(
        Vinyl(id: disc.raw, makerID: .init(number), coverID: cover), at: position)
    case 6: context.modifying.discs.remove(disc)
    case 7..<9: context.modifying.discs.move(disc, to: position)
    case 9..<12:
      context.modifying.plays.insert(
        Spin(
          id: play.raw, discID: random.oneIn(2) ? disc : nil,
          discIDs: Array(context.modifying.discs.allIDs().prefix(random.number(in: 0..<3))),
          lostID: random.oneIn(2) ? Vinyl.EntityID(number) : nil, code: random.number(in: 0..<9)),
        at: position)
    case 12: context.modifying.plays.remove(play)
    case 13: context.modifying.plays.move(play, to: position)
    case 14: context.modifying.favorites.insert(disc, at: position)
    case 15: context.modifying.favorites.move(disc, to: position)
    case 16: context.modifying.favorites.remove(disc)
    case 17: context.modifying.unheard.insert(disc)
    case 18: context.modifying.unheard.remove(disc)
    case 19: context.modifying.plays.updateIfExists(id: play) { $0.code = number }
    case 20:
      let side = number == 0 ? nil : position % 3
      context.modifying.plays.updateIfExists(id: play) { $0.side = side }
    default:
      context.modifying.queue.append(play)
      context.modifying.queue.move(play, to: 0)
    }
  }
}

/// Random edits of few rows, so that references often dangle on one side of a fork only.
enum FewSpinsSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Jukebox>, using random: inout SeededGenerator
  ) throws {
    let maker = Presser.EntityID(random.number(in: 0..<2))
    let disc = Vinyl.EntityID(random.number(in: 0..<2))
    let play = random.number(in: 0..<2)
    switch random.number(in: 0..<6) {
    case 0: context.modifying.makers.insert(Presser(id: maker.raw))
    case 1: context.modifying.makers.remove(maker)
    case 2: context.modifying.discs.insert(Vinyl(id: disc.raw, makerID: maker))
    case 3: context.modifying.discs.remove(disc)
    case 4: context.modifying.plays.insert(Spin(id: play, discID: disc))
    default: context.modifying.plays.remove(.init(play))
    }
  }
}
