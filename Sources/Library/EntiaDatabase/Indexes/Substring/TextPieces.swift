import EntiaCollections
import Foundation

/// The texts of rows, and the rows that contain each piece of three characters.
///
/// Pieces are compared without case and diacritics. A row that has all pieces of a searched part
/// therefore need not contain the part, and the text of the row is compared, too.
@usableFromInline
struct TextPieces: Sendable {
  private(set) var pieces = PostingTree(isPlain: true)
  private var texts = PersistentTable<EntryKeyed<HashedKey<Int>, String?>>()

  @usableFromInline
  init() {}

  fileprivate init(
    _ pieces: PostingTree, _ texts: PersistentTable<EntryKeyed<HashedKey<Int>, String?>>
  ) {
    self.pieces = pieces
    self.texts = texts
  }

  @usableFromInline
  mutating func insert(_ row: Int, _ text: String?) {
    texts.updateOrInsert(KeyValueEntry(key: HashedKey(row), value: text))
    for piece in Self.stored(of: text) { set(piece, in: row, EncodedPosting()) }
  }

  @usableFromInline
  mutating func remove(_ row: Int) {
    let text = texts.remove(HashedKey(row))?.value
    for piece in Self.stored(of: text) { set(piece, in: row, nil) }
  }

  @usableFromInline
  mutating func replace(_ row: Int, by text: String?) {
    let old = texts.updateOrInsert(KeyValueEntry(key: HashedKey(row), value: text))?.value
    let before = Self.stored(of: old)
    let after = Self.stored(of: text)
    for piece in before.subtracting(after) { set(piece, in: row, nil) }
    for piece in after.subtracting(before) { set(piece, in: row, EncodedPosting()) }
  }

  private mutating func set(_ piece: String, in row: Int, _ posting: EncodedPosting?) {
    pieces.set(PostingTerm(piece), in: row, to: posting)
  }

  /// Returns the rows whose text contains `part`, ascending; `nil` if `part` is too short to have a
  /// piece.
  func rows(containing part: String) -> [Int]? {
    rowsWithPieces(of: part)?.filter { contains($0, part) }
  }

  /// Returns the rows whose text may contain `part`, ascending, for a search that compares
  /// characters by the rules of a language. Returns `nil` if pieces cannot find these rows.
  func rows(resembling part: String) -> [Int]? {
    if Self.dependsOnLanguage(part) { return nil }
    guard let found = rowsWithPieces(of: part) else { return nil }
    var rows = Set(found)
    pieces.visitPostings(in: pieces.ranks(of: PostingTerm(Self.languageMark))) {
      rows.insert($0.document)
    }
    return rows.sorted()
  }

  /// Returns the rows that have the pieces of `part`; `nil` if `part` has no pieces. If few rows
  /// have the rarest pieces, the other pieces are not looked up. A returned row may then lack some
  /// of the other pieces.
  private func rowsWithPieces(of part: String) -> [Int]? {
    let wanted = Self.pieces(of: part)
    if wanted.isEmpty { return nil }
    let lists = wanted.map { piece in
      let ranks = pieces.ranks(of: PostingTerm(piece))
      return (ranks: ranks, count: pieces.postingCount(in: ranks))
    }.sorted { $0.count < $1.count }
    var rows: [Int] = []
    for (number, list) in lists.enumerated() {
      var kept: [Int] = []
      if number == 0 {
        pieces.visitPostings(in: list.ranks) { kept.append($0.document) }
      } else {
        pieces.visitPostings(in: list.ranks, of: rows) { reader, _ in kept.append(reader.document) }
      }
      rows = kept
      // Comparing a few texts is faster than reading the next list.
      if rows.count < 16 { break }
    }
    return rows
  }

  /// Returns the rows whose text contains `part`, ascending. Searches every text.
  func scan(for part: String) -> [Int] {
    texts.map(\.key.key).filter { contains($0, part) }.sorted()
  }

  private func contains(_ row: Int, _ part: String) -> Bool {
    guard let text = texts[HashedKey(row)]?.value else { return false }
    return Self.contains(text, part)
  }

  /// Whether `text` contains `part`. The types are generic to select the `contains` of `Collection`
  /// instead of that of `StringProtocol`. A predicate calls the `contains` of `Collection`, and
  /// must return the same result as this function.
  private static func contains<Text: Collection, Part: Collection>(
    _ text: Text, _ part: Part
  ) -> Bool where Text.Element: Equatable, Text.Element == Part.Element { text.contains(part) }

  /// Calls the closure with each text and each piece of each row.
  func visit(_ body: (String, Int) -> Void) {
    for entry in texts { if let text = entry.value { body("=" + text, entry.key.key) } }
    for chunk in pieces.chunks {
      let piece = String(decoding: chunk.termBytes, as: UTF8.self)
      chunk.bytes.withUnsafeBufferPointer { bytes in
        var reader = PostingReader(bytes, bound: chunk.bound, isPlain: true)
        while reader.next() { body(piece, reader.document) }
      }
    }
  }

  /// Returns the pieces under which a text is stored. They include `languageMark` if the comparison
  /// of the text depends on the language.
  fileprivate static func stored(of text: String?) -> Set<String> {
    var result = pieces(of: text)
    if let text, dependsOnLanguage(text) { result.insert(languageMark) }
    return result
  }

  /// The mark of texts that depend on the language. No piece equals it, because pieces are longer.
  private static let languageMark = "?"

  /// Whether a comparison by the rules of a language may differ from a comparison of pieces.
  ///
  /// This is not the case if the decomposed text has only ASCII characters, diacritics, and
  /// Cyrillic and Chinese letters. The rules of a language may ignore any other character, or treat
  /// it as equal to different letters (`ß` and `SS`, `ı` and `I`).
  static func dependsOnLanguage(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    return !text.decomposedStringWithCompatibilityMapping.unicodeScalars.allSatisfy {
      $0.isASCII || TextFolding.isDiacritic($0) || (0x410...0x44F).contains($0.value)
        || (0x4E00...0x9FFF).contains($0.value)
    }
  }

  /// Returns each three adjacent scalars of a text, without case and diacritics.
  ///
  /// One character of the text may become several scalars, but equal characters become the same
  /// scalars. A text that contains a part therefore has all pieces of the part.
  static func pieces(of text: String?) -> Set<String> {
    guard let text, text.utf8.count >= 3 else { return [] }
    var scalars: [Unicode.Scalar] = []
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      scalars = text.utf8.map { Unicode.Scalar($0 &- 0x41 < 26 ? $0 | 0x20 : $0) }
    } else {
      for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars
      where !TextFolding.isDiacritic(scalar) {
        if scalar.isASCII {
          scalars.append(Unicode.Scalar(UInt8(scalar.value).lowercased))
        } else {
          scalars += scalar.properties.lowercaseMapping.unicodeScalars
        }
      }
    }
    if scalars.count < 3 { return [] }
    var result: Set<String> = []
    for start in 0..<(scalars.count - 2) {
      var piece = String.UnicodeScalarView()
      piece.append(contentsOf: scalars[start..<start + 3])
      result.insert(String(piece))
    }
    return result
  }
}

/// Builds the pieces of rows in the order of their numbers.
@usableFromInline
struct TextPiecesBuilder {
  private var pieces = PostingBuilder(isPlain: true)
  private var texts = PersistentTable<EntryKeyed<HashedKey<Int>, String?>>()

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func append(_ row: Int, _ text: String?) {
    texts.updateOrInsert(KeyValueEntry(key: HashedKey(row), value: text))
    for piece in TextPieces.stored(of: text) {
      pieces.append(row, EncodedPosting(), to: pieces.number(of: piece))
    }
  }

  @usableFromInline
  mutating func finish() -> TextPieces { TextPieces(pieces.finish(), texts) }
}

/// A part of a string that a predicate searches for.
struct WantedPart: CustomStringConvertible {
  let text: String
  /// Whether case and diacritics are ignored, as `localizedStandardContains` ignores them.
  var isLocalized = false

  /// Whether an index can find the rows with this part by its pieces, without searching every row.
  var hasPieces: Bool {
    !TextPieces.pieces(of: text).isEmpty && !(isLocalized && TextPieces.dependsOnLanguage(text))
  }

  var description: String { "\"\(text)\"" + (isLocalized ? " in any case" : "") }
}

extension Indexes.Substring {
  /// Returns the IDs of all rows that contain `part`, and perhaps of rows that do not contain it.
  /// Returns `nil` if the index cannot search for `part`.
  func foundIDs(containing part: WantedPart) -> [Entity.EntityID]? {
    let found =
      part.isLocalized
      ? pieces.rows(resembling: part.text) : pieces.rows(containing: part.text)
    return found.map { $0.compactMap { rows.id(of: $0) } }
  }
}
