import EntiaDatabase
import EntiaLaws

struct Note: EntityType, Identifiable, Equatable {
  let id: Int
  var title: String
  var summary: String?
  var drawerID: Drawer.EntityID = 0
  var stars = 0
}

struct Drawer: EntityType, Identifiable, Equatable {
  let id: Int
  var name = ""
}

/// A storage with texts in several fields.
struct Archive: NormalizedStorageType {
  struct Contents: StorageContents {
    var notes = Tables.Hash<Note>()
    var drawers = Tables.Ordered<Drawer>()
    var noteText: Indexes.Text<Note> = .init(\.title, \.summary, weights: [2])
    var titleText: Indexes.Text<Note> = .init(\.title, toleratesTypos: true)
    var titleParts: Indexes.Substring<Note> = .init(\.title)
    var summaryParts: Indexes.Substring<Note> = .init(\.summary)
    var drawerText = Indexes.Text<Drawer>(\.name)
    var noteDrawer = ToOne<Note, Drawer>(\.drawerID, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("notes", \.notes)
      visitor.table("drawers", \.drawers)
      visitor.index("noteText", \.noteText)
      visitor.index("titleText", \.titleText)
      visitor.index("titleParts", \.titleParts)
      visitor.index("summaryParts", \.summaryParts)
      visitor.index("drawerText", \.drawerText)
      visitor.relationship("noteDrawer", \.noteDrawer)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
  var notes: Tables.Hash<Note> { snapshot.contents.notes }
  var noteText: Indexes.Text<Note> { snapshot.contents.noteText }
  var titleText: Indexes.Text<Note> { snapshot.contents.titleText }
  var titleParts: Indexes.Substring<Note> { snapshot.contents.titleParts }
  var summaryParts: Indexes.Substring<Note> { snapshot.contents.summaryParts }
  var drawerText: Indexes.Text<Drawer> { snapshot.contents.drawerText }
  var noteDrawer: ToOne<Note, Drawer> { snapshot.contents.noteDrawer }

  init() {}

  init(_ notes: [Note], drawers: [Drawer] = [Drawer(id: 0)]) throws {
    try performBatchUpdates { context in
      context.modifying.notes.insert(notes)
      context.modifying.drawers.insert(drawers)
    }
  }

  /// An archive of notes with these titles, numbered from 1.
  init(titles: [String]) throws {
    try self.init(titles.enumerated().map { Note(id: $0.offset + 1, title: $0.element) })
  }

  func found(_ query: String, limit: Int = .max) -> [Int] {
    noteText.search(query, limit: limit).map(\.id.raw)
  }
}

/// Random texts and queries in ten scripts, with words that begin alike.
enum RandomText {
  static let words = [
    "le", "left", "leave", "Guin", "guide", "dispossessed", "Dispösition", "don't", "co-operate",
    "a", "an", "and", "Straße", "strasse", "résumé", "RESUME", "r2d2", "3.14", "история", "истина",
    "Одиссей", "Ὀδυσσεύς", "ὁδός", "שָׁלוֹם", "שלום", "الكِتَاب", "كتاب", "हिन्दी", "हिन्द", "東京都",
    "京都", "東", "ひらがな", "ﾊﾟﾘ", "パリ", "한국어", "한국", "ดีมาก", "มาก", "👍🏽", "👍", "Ａｂｃ", "abc", "…",
  ]

  static func text(_ random: inout SeededGenerator, upTo count: Int) -> String {
    (0..<random.number(in: 0..<count)).map { _ in words[random.number(in: 0..<words.count)] }
      .joined(separator: random.oneIn(4) ? ", " : " ")
  }

  static func query(_ random: inout SeededGenerator) -> String {
    (0..<random.number(in: 0..<4)).map { _ in
      var term = words[random.number(in: 0..<words.count)]
      if random.oneIn(3) { term = String(term.prefix(random.number(in: 1..<4))) }
      if random.oneIn(5) { term = "\"\(term) \(words[random.number(in: 0..<words.count)])\"" }
      if random.oneIn(5) {
        term = ["title:", "summary:", "other:"][random.number(in: 0..<3)] + term
      }
      if random.oneIn(6) { term = "-" + term }
      return term
    }.joined(separator: " ")
  }
}
