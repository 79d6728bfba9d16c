import EntiaCollections
import EntiaDatabase
import EntiaLaws
import Foundation

struct Paper: EntityType, Identifiable, Codable {
  let id: String
  var text: String
  var rank: Double = 0
  var stars: Int?
  var labels: [String] = []
}

struct Folder: EntityType, Identifiable, Codable {
  let id: Int
  var name: String
  var paperID: Paper.EntityID?
}

/// An ID of two values.
struct Drawer: Hashable, Codable, Sendable {
  var row: Int
  var column: Double
}

struct Sticker: EntityType, Codable {
  typealias EntityIDRawType = Drawer
  var entityID: EntityID { EntityID(Drawer(row: row, column: column)) }
  let row: Int
  let column: Double
  var color: String
}

/// Both kinds of tables, both kinds of held IDs, and a relationship.
struct Cabinet: NormalizedStorageType {
  struct Contents: StorageContents {
    var papers = Tables.Hash<Paper>()
    var folders = Tables.Ordered<Folder>()
    var stickers = Tables.Hash<Sticker>()
    var pins = Indexes.OrderedID<Folder>()
    var marks = Indexes.Set<Paper>()
    var folderPaper = ToOne<Folder, Paper>(\.paperID, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("papers", \.papers)
      visitor.table("folders", \.folders)
      visitor.table("stickers", \.stickers)
      visitor.index("pins", \.pins)
      visitor.index("marks", \.marks)
      visitor.relationship("folderPaper", \.folderPaper)
    }
  }

  var snapshot = Snapshot(Contents())
  var papers: Tables.Hash<Paper> { snapshot.contents.papers }
  var folders: Tables.Ordered<Folder> { snapshot.contents.folders }
  var stickers: Tables.Hash<Sticker> { snapshot.contents.stickers }
  var pins: Indexes.OrderedID<Folder> { snapshot.contents.pins }
  var marks: Indexes.Set<Paper> { snapshot.contents.marks }
}

extension Cabinet {
  /// The order of the parts that have one.
  var order: [String] {
    ["\(folders.map(\.id))", "\(pins.ids())", "\(marks.ids())"]
  }

  /// The order of the rows of the other tables.
  var rowOrder: [String] { papers.map(\.id) + stickers.map(\.entityID.description) }

  /// Makes random changes of rows in one batch.
  mutating func changeRows(ids: Int, _ random: inout SeededGenerator) {
    performBatchUpdates { context in
      for _ in 0..<random.number(in: 0..<4) {
        let id = random.number(in: 0..<ids)
        let rank = [0, 1.5, .nan, -.infinity][random.number(in: 0..<4)]
        switch random.number(in: 0..<6) {
        case 0: context.modifying.papers.remove(Paper.EntityID("p\(id)"))
        case 1:
          context.modifying.stickers.insert(
            Sticker(row: id, column: 0.5, color: "\(random.number(in: 0..<9))"))
        case 2: context.modifying.stickers.remove(Sticker.EntityID(Drawer(row: id, column: 0.5)))
        default:
          context.modifying.papers.insert(
            Paper(
              id: "p\(id)", text: "\(random.number(in: 0..<9))", rank: rank,
              stars: random.oneIn(2) ? nil : id))
        }
      }
    }
  }

  /// Makes a few random changes in one batch.
  mutating func change(ids: Int, _ random: inout SeededGenerator) {
    let numbers: [Double] = [0, -0.0, .nan, .infinity, 1.5, -.infinity, 1e300]
    let names = ["a", "é", "e\u{301}", "", "x\0y", "$[1]", "^0"]
    performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<6) {
        let number = random.number(in: 0..<ids)
        let paperID = names[number % names.count]
        let name = names[random.number(in: 0..<names.count)]
        let value = numbers[random.number(in: 0..<numbers.count)]
        let count = context.modifying.folders.count
        switch random.number(in: 0..<13) {
        case 0, 1:
          context.modifying.papers.insert(
            Paper(
              id: paperID, text: name, rank: value, stars: random.oneIn(2) ? nil : number,
              labels: random.oneIn(2) ? [] : [name]))
        case 2: context.modifying.papers.remove(Paper.EntityID(paperID))
        case 3, 4, 5:
          context.modifying.folders.insert(
            Folder(
              id: number, name: name, paperID: random.oneIn(2) ? nil : Paper.EntityID(paperID)),
            at: random.number(in: 0..<count + 1))
        case 6: context.modifying.folders.remove(Folder.EntityID(number))
        case 7:
          context.modifying.folders.move(
            Folder.EntityID(number), to: random.number(in: 0..<count + 1))
        case 8:
          context.modifying.stickers.insert(Sticker(row: number, column: value, color: name))
        case 9:
          context.modifying.stickers.remove(
            Sticker.EntityID(Drawer(row: number, column: value)))
        case 10: context.modifying.pins.insert(Folder.EntityID(number), at: 0)
        case 11:
          if random.oneIn(2) {
            context.modifying.pins.append(Folder.EntityID(number))
          } else {
            context.modifying.pins.remove(Folder.EntityID(number))
          }
        default:
          if random.oneIn(2) {
            context.modifying.marks.insert(Paper.EntityID(paperID))
          } else {
            context.modifying.marks.remove(Paper.EntityID(paperID))
          }
        }
      }
    }
  }
}
