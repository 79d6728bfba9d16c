import Entia
import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

/// Entities with `@Entity`, as a user writes them.
@Suite("@Entity, as a user writes it")
struct EntityMacroTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func row<Row: RowCodable>(_ type: Row.Type, _ text: String) throws -> Row {
    try JSONDecoder().decode(CodedEntity<Row>.self, from: Data(text.utf8)).row
  }

  @Test("Rows have the form of a synthesized Codable")
  func sameJSON() throws {
    for summary in [nil, "short"] {
      var article = Article(
        id: "1", title: "One", summary: summary, writerID: "w1", x: 1, y: 2, ratio: nil)
      article.subtitle = "sub"
      article.isExpanded = true
      let text = try json(CodedEntity(article))
      expectEqual(text, try json(article))
      let read = try row(Article.self, text)
      expectTrue(read != article)
      article.isExpanded = false
      expectEqual(read, article)
      expectEqual(read, try JSONDecoder().decode(Article.self, from: Data(text.utf8)))
    }
  }

  @Test("An entity without Codable is coded by the generated code")
  func coding() throws {
    let place = Shelves.Place(shelf: 1, position: 2, articleID: "a")
    let text = try json(place)
    expectEqual(text, #"{"articleID":"a","position":2,"shelf":1}"#)
    try expectEqual(JSONDecoder().decode(Shelves.Place.self, from: Data(text.utf8)), place)
    let label = try json(Label(slug: "a"))
    expectEqual(label, #""a""#)
    try expectEqual(JSONDecoder().decode(Label.self, from: Data(label.utf8)), Label(slug: "a"))
  }

  @Test("Missing members get their declared values")
  func defaults() throws {
    let read = try row(
      Article.self,
      #"{"id":"1","title":"One","author":"w1","x":1,"y":2,"kind":null,"name":"old"}"#)
    var expected = Article(id: "1", title: "One", writerID: "w1", x: 1, y: 2)
    expected.subtitle = "old"
    expectEqual(read, expected)
    expectTrue(read.rating == 3 && read.kind == .text && read.sum == 7 && read.note == "none")
    expectTrue(!read.isExpanded && read.preview == nil && read.count == 5)
    let null = try row(
      Article.self, #"{"id":"1","title":"","author":"w1","x":1,"y":2,"note":null}"#)
    expectNil(null.note)
    try expectTrue(json(CodedEntity(null)).contains(#""note":null"#))
    #expect(throws: DecodingError.self) { try row(Article.self, #"{"id":"1"}"#) }
  }

  @Test("Merging takes each member that one side changed")
  func merging() {
    let base = Article(id: "1", title: "One", writerID: "w1", x: 1, y: 2)
    var mine = base
    mine.title = "Mine"
    mine.rating = 4
    var theirs = base
    theirs.title = "Theirs"
    theirs.isExpanded = true
    var merger = RowMerger()
    let merged = Article(merging: mine, with: theirs, base: base, by: &merger)
    expectTrue(merged.title == "Mine" && merged.rating == 4 && merged.isExpanded)
    expectEqual(merger.conflicts, ["title"])
  }

  @Test("IDs of one and of several properties")
  func ids() throws {
    let tag = Label(slug: "swift")
    expectTrue(tag.id == "swift" && tag.entityID == "swift")
    let place = Shelves.Place(shelf: 1, position: 2)
    expectEqual(place.id, Shelves.Place.ID(shelf: 1, position: 2))
    expectEqual(place.entityID.raw, place.id)
    try expectEqual(row(Shelves.Place.self, #"{"shelf":1,"position":2}"#), place)
    expectEqual(Edition(id: 3, isbn: ISBN(text: "a")).entityID.raw, ISBN(text: "a"))
    let page = Magazine.Page(issueID: 1, number: 2)
    let issue = Magazine.Issue(id: 1, coverID: page.entityID)
    expectEqual(issue.coverID?.raw, Magazine.Page.ID(issueID: 1, number: 2))
    try expectEqual(row(Magazine.Issue.self, json(issue)), issue)
    let crate = Crate(id: "c", value: [1])
    try expectEqual(row(Crate<[Int]>.self, #"{"id":"c","value":[1]}"#), crate)
    try expectEqual(row(Numbered.self, #"{"id":"n","default":2}"#).default, 2)
  }

  @Test("Declared values are those of the struct")
  func declaredValues() throws {
    let board = try row(Shelves.Board.self, #"{"row":{"number":2},"depth":2.75}"#)
    expectEqual(board.id, Shelves.Row(number: 2))
    expectTrue(board.height == .low && board.width == 1 && board.depth == 3 && board.other == .high)
    let text = try json(board)
    try expectEqual(row(Shelves.Board.self, text), board)
    expectTrue(text.contains(#""depth":3,"height":"low""#))
  }

  @Test("A storage holds them")
  func storage() throws {
    var magazine = Magazine()
    magazine.performBatchUpdates { batch in
      batch.modifying.journalists.insert(Journalist(id: "w1", name: "Ann"))
      batch.modifying.articles.insert(
        Article(id: "1", title: "One", writerID: "w1", x: 1, y: 2))
      batch.modifying.places.insert(Shelves.Place(shelf: 1, position: 2, articleID: "1"))
      batch.modifying.notes.insert(Magazine.Note(id: 1, writerID: "w1"))
    }
    expectEqual(magazine.articles["1"]?.writerID, "w1")
    expectEqual(magazine.places[.init(.init(shelf: 1, position: 2))]?.articleID, "1")
    expectTrue(magazine.verify().isEmpty)
    magazine.performBatchUpdates { $0.modifying.journalists.remove("w1") }
    expectTrue(magazine.articles.isEmpty && magazine.notes.isEmpty)
  }
}

@Entity
struct Journalist {
  let id: String
  var name: String
}

@Entity
struct Article: Codable, Hashable {
  enum Kind: String, Codable { case text, link }
  enum CodingKeys: String, CodingKey {
    case id, title, summary, x, y, ratio, rating, kind, tagIDs, subtitle, sum, note, count
    case writerID = "author"
    case _isExpanded, _preview
  }

  let id: String
  var title: String
  var summary: String?
  @Stored("author") var writerID: Journalist.EntityID
  var x, y: Int
  var ratio: Double?
  var rating = 3
  var kind: Kind = .text
  var tagIDs: Set<Label.EntityID> = []
  @Stored(renamedFrom: "name", "oldName") var subtitle: String = ""
  var sum = 1 + 2 * 3
  var note: String? = "none"
  var count = 5 { didSet { title += "" } }
  @Transient var isExpanded = false
  @Transient var preview: [String]?

  static let shared = 1
  var headline: String { title.uppercased() }

  init(
    id: String, title: String, summary: String? = nil, writerID: Journalist.EntityID, x: Int,
    y: Int,
    ratio: Double? = nil
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.writerID = writerID
    self.x = x
    self.y = y
    self.ratio = ratio
  }
}

@Entity(id: "slug")
struct Label {
  let slug: String
}

struct ISBN: Codable, Hashable, Sendable { var text: String }

@Entity(id: "isbn")
struct Edition {
  let id: Int
  let isbn: ISBN
}

enum Shelves {
  struct Row: Codable, Hashable { var number = 1 }
  enum Height: String, Codable { case low, high }

  // The types beside it are found as in the struct.
  @Entity(id: "row")
  struct Board {
    let row: Row
    var height = Height.low
    @Rounded var width = 1.25
    @Rounded var depth: Double
    var other: Height? = Height.high
  }

  @Entity(id: "shelf", "position")
  struct Place {
    let shelf: Int
    let position: Int
    var articleID: Article.EntityID?
    var nextID: Place.EntityID?
  }
}

/// A whole number.
@propertyWrapper
struct Rounded: Equatable {
  private var value: Double

  init(wrappedValue: Double) { value = wrappedValue.rounded() }

  var wrappedValue: Double {
    get { value }
    set { value = newValue.rounded() }
  }
}

@Entity
struct Crate<Value: Codable & Equatable & Sendable> {
  let id: String
  var value: Value
}

@Entity
private struct Numbered {
  let id: String
  var `default`: Int
  private(set) var hidden = 1
  #if DEBUG
    var debug: Int? = 1
  #else
    var release = 1
  #endif
}

@NormalizedStorage
struct Magazine {
  @Table var journalists: Tables.Hash<Journalist> = .init()
  @Table var articles: Tables.Hash<Article> = .init()
  @Table var places: Tables.Hash<Shelves.Place> = .init()
  @Table var notes: Tables.Hash<Note> = .init()
  @Relationship var articleWriter: ToOne<Article, Journalist> = .init(
    \.writerID, onDelete: .cascade)
  @Relationship var noteWriter: ToOne<Note, Journalist> = .init(\.writerID, onDelete: .cascade)

  @Entity
  struct Note {
    let id: Int
    var writerID: Journalist.EntityID
  }
}

// Entities in extensions, whose IDs are made of one another.
extension Magazine {
  @Entity
  struct Issue {
    let id: Int
    var coverID: Page.EntityID?
  }

  enum Archive {
    @Entity(id: "issueID", "number")
    struct Page {
      let issueID: Issue.EntityID
      let number: Int
      var shelfID: Shelves.Place.EntityID?
    }
  }

  typealias Page = Archive.Page
}
