import EntiaCollections
import Foundation

/// The texts of rows, and the rows that contain each piece of three characters.
///
/// Pieces are compared without case and diacritics. The texts decide which of the found rows
/// contain a part.
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
    for piece in Self.pieces(of: text) { set(piece, in: row, EncodedPosting()) }
  }

  @usableFromInline
  mutating func remove(_ row: Int) {
    let text = texts.remove(HashedKey(row))?.value
    for piece in Self.pieces(of: text) { set(piece, in: row, nil) }
  }

  @usableFromInline
  mutating func replace(_ row: Int, by text: String?) {
    let old = texts.updateOrInsert(KeyValueEntry(key: HashedKey(row), value: text))?.value
    let before = Self.pieces(of: old)
    let after = Self.pieces(of: text)
    for piece in before.subtracting(after) { set(piece, in: row, nil) }
    for piece in after.subtracting(before) { set(piece, in: row, EncodedPosting()) }
  }

  private mutating func set(_ piece: String, in row: Int, _ posting: EncodedPosting?) {
    pieces.set(PostingTerm(piece), in: row, to: posting)
  }

  /// Returns the rows that contain a part, ascending; `nil` if the part has less than three
  /// characters.
  func rows(containing part: String) -> [Int]? {
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
      // A few texts are compared faster than another list is read.
      if rows.count < 16 { break }
    }
    return rows.filter { contains($0, part) }
  }

  /// Returns the rows that contain a part by comparing every text.
  func scan(for part: String) -> [Int] {
    texts.map(\.key.key).filter { contains($0, part) }.sorted()
  }

  private func contains(_ row: Int, _ part: String) -> Bool {
    guard let text = texts[HashedKey(row)]?.value else { return false }
    return Self.contains(text, part)
  }

  /// The comparison of a predicate: of characters, in generic code as there.
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

  /// Returns each three adjacent characters of a text, as they are compared.
  ///
  /// A character of the text may be several here, but equal characters are the same ones. A text
  /// that contains another therefore has all of its pieces.
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
    for piece in TextPieces.pieces(of: text) {
      pieces.append(row, EncodedPosting(), to: pieces.number(of: piece))
    }
  }

  @usableFromInline
  mutating func finish() -> TextPieces { TextPieces(pieces.finish(), texts) }
}

/// An index that finds rows by a part of a string, for code that does not know its type.
protocol SubstringIndex<Entity>: IndexType {
  /// Returns the IDs of the rows that contain a part; `nil` if the part is too short.
  func foundIDs(containing part: String) -> [Entity.EntityID]?
}

extension Indexes.Substring: SubstringIndex {
  func foundIDs(containing part: String) -> [Entity.EntityID]? {
    pieces.rows(containing: part).map { $0.compactMap { rows.id(of: $0) } }
  }
}
