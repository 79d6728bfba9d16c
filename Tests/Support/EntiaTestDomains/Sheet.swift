package import EntiaDatabase
package import Foundation

/// A value whose `==` compares its ID alone.
package struct Reader: Hashable, Codable, Sendable {
  package var id: Int
  package var name: String

  package init(_ id: Int, _ name: String = "") { (self.id, self.name) = (id, name) }

  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

package enum SheetKind: String, Codable, Sendable { case text, link }

package enum SheetLevel: Int, Codable, Sendable { case low, high }

package enum SheetState: Codable, Equatable, Sendable {
  case open
  case closed(Int)
}

package enum ScrollDefault: TransientMemberDefault { package static var value: Int { 0 } }

/// A row with members of every sort, which are coded by a synthesized `Codable`. `GeneratedSheet`
/// has the same members, read and written by code such as `@Entity` generates.
package struct Sheet: EntityType, Identifiable, Codable, Equatable {
  package let id: Int
  package var title = ""
  package var authorID: Author.EntityID = "a"
  package var editorID: EntityID?
  package var summary: String?
  package var isRead = false
  package var isKept: Bool?
  package var ratio = 0.0
  package var limit: Double?
  package var count = 0
  package var pages: Int?
  package var small = Float(0)
  package var mask = UInt64(0)
  package var byte: UInt8?
  package var kind = SheetKind.text
  package var level: SheetLevel?
  package var state = SheetState.open
  package var data = Data()
  package var date = Date(timeIntervalSinceReferenceDate: 0)
  package var end: Date?
  package var price = Decimal(0)
  package var tags: [String] = []
  package var words: Set<String> = []
  package var scores: [String: Double] = [:]
  package var reader = Reader(1)
  package var substitute: Reader?
  package var readers: Set<Reader> = []
  private var _scroll = TransientMember<ScrollDefault>(0)

  package var scroll: Int {
    get { _scroll.value }
    set { _scroll.value = newValue }
  }

  private enum CodingKeys: String, CodingKey {
    case id, title
    case authorID = "author"
    case editorID, summary, isRead, isKept, ratio, limit, count, pages, small, mask, byte, kind
    case level, state, data, date, end, price, tags, words, scores, reader, substitute, readers
    case _scroll
  }

  package init(id: Int) { self.id = id }
}

extension Sheet {
  /// Sets a member to one of a few values.
  package typealias Edit = @Sendable (_ sheet: inout Sheet, _ choice: Int) -> Void

  private static func edit<Value: Sendable>(
    _ path: any WritableKeyPath<Sheet, Value> & Sendable, _ values: [Value]
  ) -> Edit {
    { sheet, choice in sheet[keyPath: path] = values[choice % values.count] }
  }

  /// An edit of each member.
  package static let edits: [Edit] = [
    edit(\.title, ["", "a", "$é"]), edit(\.authorID, ["a", "b", "$c"]),
    edit(\.editorID, [nil, 1, 2]), edit(\.summary, [nil, "", "n"]), edit(\.isRead, [false, true]),
    edit(\.isKept, [nil, false, true]), edit(\.ratio, [0, .nan, 0.1 + 0.2, -.infinity]),
    edit(\.limit, [nil, .nan, 1, -0.0]), edit(\.count, [0, .max, .min]),
    edit(\.pages, [nil, 0, 7]), edit(\.small, [0, .nan, 0.1]), edit(\.mask, [0, .max, 1 << 63]),
    edit(\.byte, [nil, 0, 255]), edit(\.kind, [.text, .link]), edit(\.level, [nil, .low, .high]),
    edit(\.state, [.open, .closed(1), .closed(2)]),
    // The leak checker does not find large data in a constant.
    { $0.data = [Data(), Data([0, 255]), Data(repeating: 7, count: 99)][$1 % 3] },
    edit(\.date, [0, 0.1, -1e-9].map { Date(timeIntervalSinceReferenceDate: $0) }),
    edit(\.end, [nil, Date(timeIntervalSinceReferenceDate: 5)]),
    edit(\.price, [0, Decimal(sign: .minus, exponent: -9, significand: 7)]),
    edit(\.tags, [[], ["x"], ["x", "y"]]), edit(\.words, [[], ["x", "y", "z"], ["x", "y"]]),
    edit(\.scores, [[:], ["a": 1, "b": .nan], ["a": 2]]),
    edit(\.reader, [Reader(1), Reader(1, "A"), Reader(2)]),
    edit(\.substitute, [nil, Reader(1), Reader(1, "A")]),
    edit(\.readers, [[], [Reader(1), Reader(2)], [Reader(1, "A"), Reader(2)]]),
    edit(\.scroll, [0, 1, 2]),
  ]
}

extension Sheet {
  /// A sheet without changes, and one with other values of its encoded members: the rows of golden
  /// texts.
  package static var golden: [Sheet] {
    var edited = Sheet(id: 2)
    for edit in edits.dropLast() { edit(&edited, 2) }
    return [Sheet(id: 1), edited]
  }
}

/// A row of generated code, with the members of a sheet.
package struct GeneratedSheet: EntityType, Identifiable, Equatable {
  package typealias ID = Int
  package typealias EntityIDRawType = Int

  private var members: Sheet
  private var _scroll = TransientMember<ScrollDefault>(0)

  package var id: Int { members.id }
  package var sheet: Sheet {
    get {
      var sheet = members
      sheet.scroll = _scroll.value
      return sheet
    }
    set {
      members = newValue
      members.scroll = 0
      _scroll.value = newValue.scroll
    }
  }

  package init(_ sheet: Sheet) {
    members = sheet
    self.sheet = sheet
  }
}

extension GeneratedSheet: RowCodable {
  package init<Row: RowReader & ~Copyable>(row: inout Row) throws {
    self.init(Sheet(id: try row.member("id")))
    sheet.title = try row.memberIfPresent(row.name("title", or: "name")) ?? "untitled"
    sheet.authorID = try row.member("author")
    sheet.editorID =
      (try row.memberIfPresent("editorID") as EntityID?).map { Sheet.EntityID($0.raw) }
    sheet.summary = try row.memberIfPresent("summary")
    sheet.isRead = try row.member("isRead")
    sheet.isKept = try row.memberIfPresent("isKept")
    sheet.ratio = try row.member("ratio")
    sheet.limit = try row.memberIfPresent("limit")
    sheet.count = try row.memberIfPresent("count") ?? 3
    sheet.pages = try row.memberIfPresent("pages")
    sheet.small = try row.member("small")
    sheet.mask = try row.member("mask")
    sheet.byte = try row.memberIfPresent("byte")
    sheet.kind = try row.member("kind")
    sheet.level = try row.memberIfPresent("level")
    sheet.state = try row.member("state")
    sheet.data = try row.member("data")
    sheet.date = try row.member("date")
    sheet.end = try row.memberIfPresent("end")
    sheet.price = try row.member("price")
    sheet.tags = try row.memberIfPresent("tags") ?? []
    sheet.words = try row.member("words")
    sheet.scores = try row.member("scores")
    sheet.reader = try row.member("reader")
    sheet.substitute = try row.memberIfPresent("substitute")
    sheet.readers = try row.member("readers")
  }

  package init(from decoder: any Decoder) throws { try self.init(rowFrom: decoder) }
  package func encode(to encoder: any Encoder) throws { try encodeRow(to: encoder) }

  package func write<Row: RowWriter & ~Copyable>(to row: inout Row) throws {
    try row.setMember("id", to: sheet.id)
    try row.setMember("title", to: sheet.title)
    try row.setMember("author", to: sheet.authorID)
    try row.setMember("editorID", to: sheet.editorID.map { EntityID($0.raw) })
    try row.setMember("summary", to: sheet.summary)
    try row.setMember("isRead", to: sheet.isRead)
    try row.setMember("isKept", to: sheet.isKept)
    try row.setMember("ratio", to: sheet.ratio)
    try row.setMember("limit", to: sheet.limit)
    try row.setMember("count", to: sheet.count)
    try row.setMember("pages", to: sheet.pages)
    try row.setMember("small", to: sheet.small)
    try row.setMember("mask", to: sheet.mask)
    try row.setMember("byte", to: sheet.byte)
    try row.setMember("kind", to: sheet.kind)
    try row.setMember("level", to: sheet.level)
    try row.setMember("state", to: sheet.state)
    try row.setMember("data", to: sheet.data)
    try row.setMember("date", to: sheet.date)
    try row.setMember("end", to: sheet.end)
    try row.setMember("price", to: sheet.price)
    try row.setMember("tags", to: sheet.tags)
    try row.setMember("words", to: sheet.words)
    try row.setMember("scores", to: sheet.scores)
    try row.setMember("reader", to: sheet.reader)
    try row.setMember("substitute", to: sheet.substitute)
    try row.setMember("readers", to: sheet.readers)
  }

  package init(merging mine: Self, with theirs: Self, base: Self, by merger: inout RowMerger) {
    let (base, mine, theirs) = (base.sheet, mine.sheet, theirs.sheet)
    self.init(Sheet(id: merger.merged("id", mine.id, theirs.id, base: base.id)))
    func merge<Value: Equatable>(
      _ name: StaticString, _ path: WritableKeyPath<Sheet, Value>, _ merger: inout RowMerger
    ) {
      sheet[keyPath: path] = merger.merged(
        name, mine[keyPath: path], theirs[keyPath: path], base: base[keyPath: path])
    }
    sheet.title = merger.merged("title", mine.title, theirs.title, base: base.title)
    sheet.authorID = merger.merged("author", mine.authorID, theirs.authorID, base: base.authorID)
    sheet.editorID = merger.merged("editorID", mine.editorID, theirs.editorID, base: base.editorID)
    sheet.summary = merger.merged("summary", mine.summary, theirs.summary, base: base.summary)
    sheet.isRead = merger.merged("isRead", mine.isRead, theirs.isRead, base: base.isRead)
    sheet.isKept = merger.merged("isKept", mine.isKept, theirs.isKept, base: base.isKept)
    sheet.ratio = merger.merged("ratio", mine.ratio, theirs.ratio, base: base.ratio)
    sheet.limit = merger.merged("limit", mine.limit, theirs.limit, base: base.limit)
    sheet.count = merger.merged("count", mine.count, theirs.count, base: base.count)
    sheet.pages = merger.merged("pages", mine.pages, theirs.pages, base: base.pages)
    sheet.small = merger.merged("small", mine.small, theirs.small, base: base.small)
    merge("mask", \.mask, &merger)
    merge("byte", \.byte, &merger)
    merge("kind", \.kind, &merger)
    merge("level", \.level, &merger)
    merge("state", \.state, &merger)
    merge("data", \.data, &merger)
    merge("date", \.date, &merger)
    merge("end", \.end, &merger)
    merge("price", \.price, &merger)
    merge("tags", \.tags, &merger)
    merge("words", \.words, &merger)
    merge("scores", \.scores, &merger)
    merge("reader", \.reader, &merger)
    merge("substitute", \.substitute, &merger)
    merge("readers", \.readers, &merger)
    sheet.scroll = merger.merged("scroll", mine.scroll, theirs.scroll, base: base.scroll)
  }
}

/// Rows of one type, in a table with an order and in one without, with an index that holds IDs.
package struct Binder<Row: EntityType>: NormalizedStorageType, Equatable, Codable
where Row.EntityIDRawType == Int {
  package struct Contents: StorageContents, Equatable {
    package var sheets = Tables.Ordered<Row>()
    package var favorites = Indexes.Set<Row>()

    package init() {}

    package static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("sheets", \.sheets)
      visitor.index("favorites", \.favorites)
    }
  }

  package var snapshot = Snapshot(Contents())
  package var sheets: Tables.Ordered<Row> { snapshot.contents.sheets }

  package init() {}

  /// Creates a storage of rows.
  package init(_ rows: [Row]) { performBatchUpdates { $0.modifying.sheets.insert(rows) } }

  /// Returns the storage with other values of its rows.
  package func replacing(_ rows: [Row]) -> Self {
    var copy = self
    copy.performBatchUpdates { $0.modifying.sheets.insert(rows) }
    return copy
  }
}
