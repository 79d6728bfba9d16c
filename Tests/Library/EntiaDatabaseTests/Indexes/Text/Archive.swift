import EntiaDatabase
import EntiaLaws

struct Memo: EntityType, Identifiable, Equatable {
  let id: Int
  var title: String
  var summary: String?
  var drawerID: MemoBox.EntityID = 0
  var stars = 0
}

struct MemoBox: EntityType, Identifiable, Equatable {
  let id: Int
  var name = ""
}

/// A storage with texts in several fields.
struct Archive: NormalizedStorageType {
  struct Contents: StorageContents {
    var notes = Tables.Hash<Memo>()
    var drawers = Tables.Ordered<MemoBox>()
    var noteText: Indexes.Text<Memo> = .init(\.title, \.summary, weights: [2])
    var titleText: Indexes.Text<Memo> = .init(\.title, toleratesTypos: true)
    var titleParts: Indexes.Substring<Memo> = .init(\.title)
    var summaryParts: Indexes.Substring<Memo> = .init(\.summary)
    var drawerText = Indexes.Text<MemoBox>(\.name)
    var noteDrawer = ToOne<Memo, MemoBox>(\.drawerID, onDelete: .keepDangling)

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
  var notes: Tables.Hash<Memo> { snapshot.contents.notes }
  var noteText: Indexes.Text<Memo> { snapshot.contents.noteText }
  var titleText: Indexes.Text<Memo> { snapshot.contents.titleText }
  var titleParts: Indexes.Substring<Memo> { snapshot.contents.titleParts }
  var summaryParts: Indexes.Substring<Memo> { snapshot.contents.summaryParts }
  var drawerText: Indexes.Text<MemoBox> { snapshot.contents.drawerText }
  var noteDrawer: ToOne<Memo, MemoBox> { snapshot.contents.noteDrawer }

  init() {}

  init(_ notes: [Memo], drawers: [MemoBox] = [MemoBox(id: 0)]) throws {
    try performBatchUpdates { context in
      context.modifying.notes.insert(notes)
      context.modifying.drawers.insert(drawers)
    }
  }

  /// An archive of notes with these titles, numbered from 1.
  init(titles: [String]) throws {
    try self.init(titles.enumerated().map { Memo(id: $0.offset + 1, title: $0.element) })
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
