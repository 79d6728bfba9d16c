import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Foundation

/// A row with the members of a sheet, read and written by generated code or by its `Codable`.
protocol SheetRow: EntityType, Codable where EntityIDRawType == Int {
  init(of sheet: Sheet)
  var sheet: Sheet { get }
  var author: Author.EntityID { get }
  var editor: EntityID? { get }
}

extension Sheet: SheetRow {
  init(of sheet: Sheet) { self = sheet }
  var sheet: Sheet { self }
  var author: Author.EntityID { authorID }
  var editor: EntityID? { editorID }
}

extension GeneratedSheet: SheetRow {
  init(of sheet: Sheet) { self.init(sheet) }
  var author: Author.EntityID { sheet.authorID }
  var editor: EntityID? { sheet.editorID.map { EntityID($0.raw) } }
}

/// Sheets of one type with their authors and editors.
struct Desk<Row: SheetRow>: NormalizedStorageType {
  struct Contents: StorageContents {
    var authors = Tables.Hash<Author>()
    var sheets = Tables.Ordered<Row>()
    var sheetAuthor = ToOne<Row, Author>(\.author, onDelete: .cascade)
    var sheetEditor = ToOne<Row, Row>(\.editor, onDelete: .cascade)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("authors", \.authors)
      visitor.table("sheets", \.sheets)
      visitor.relationship("sheetAuthor", \.sheetAuthor)
      visitor.relationship("sheetEditor", \.sheetEditor)
    }
  }

  var snapshot = Snapshot(Contents())
  var sheets: Tables.Ordered<Row> { snapshot.contents.sheets }

  init() {}

  /// Creates a storage of two authors and of sheets.
  init(_ sheets: [Sheet]) {
    performBatchUpdates { context in
      context.modifying.authors.insert([
        Author(id: "a", name: "Ann"), Author(id: "b", name: "B\u{f6}b"),
      ])
      context.modifying.sheets.insert(sheets.map { Row(of: $0) })
    }
  }
}

extension Sheet {
  /// Returns a sheet with random members.
  /// - Parameter isFinite: Whether its numbers have a form in JSON.
  static func random(id: Int, isFinite: Bool, using random: inout SeededGenerator) -> Sheet {
    var sheet = Sheet(id: id)
    for edit in edits where random.oneIn(2) { edit(&sheet, random.number(in: 0..<12)) }
    guard isFinite else { return sheet }
    if !sheet.ratio.isFinite { sheet.ratio = 0.5 }
    if sheet.limit?.isFinite == false { sheet.limit = -0.0 }
    if !sheet.small.isFinite { sheet.small = 0.25 }
    sheet.scores = sheet.scores.filter { $0.value.isFinite }
    return sheet
  }
}

extension SeededGenerator {
  /// Returns one of a few values.
  mutating func one<Value>(of values: [Value]) -> Value { values[number(in: 0..<values.count)] }
}
