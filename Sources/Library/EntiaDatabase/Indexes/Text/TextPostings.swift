import EntiaCollections

/// The words of many rows, by which rows are found and ranked. A document is the number of a row.
@usableFromInline
struct TextPostings: Sendable {
  /// The places of each word.
  fileprivate(set) var words = PostingTree(isPlain: false)
  /// The number of rows.
  fileprivate(set) var rowCount = 0
  /// The number of words of all rows.
  fileprivate(set) var totalLength = 0
  /// The highest number of a document that was ever inserted, plus 1.
  fileprivate(set) var documentEnd = 0
  /// The fields and the options of the index.
  let format: TextFormat

  init(_ format: TextFormat) { self.format = format }

  /// Adds a row.
  @usableFromInline
  mutating func insert(_ document: Int, _ texts: [String?]) {
    let row = RowPostings(texts, format)
    for entry in row.entries { words.set(entry.term, in: document, to: entry.posting(row.length)) }
    totalLength += row.length
    rowCount += 1
    documentEnd = max(documentEnd, document + 1)
  }

  /// Removes a row.
  @usableFromInline
  mutating func remove(_ document: Int, _ texts: [String?]) {
    let row = RowPostings(texts, format)
    for entry in row.entries { words.set(entry.term, in: document, to: nil) }
    totalLength -= row.length
    rowCount -= 1
  }

  /// Replaces the texts of a row. Words whose places are the same are not written again if the row
  /// has as many words as before.
  @usableFromInline
  mutating func replace(_ document: Int, _ old: [String?], by new: [String?]) {
    let before = RowPostings(old, format)
    let after = RowPostings(new, format)
    var index = 0
    for entry in after.entries {
      while index < before.entries.count,
        PostingTerm.precedes(before.entries[index].term, entry.term)
      {
        words.set(before.entries[index].term, in: document, to: nil)
        index += 1
      }
      if index < before.entries.count, before.entries[index].term == entry.term {
        let isSame = before.entries[index].places == entry.places && before.length == after.length
        index += 1
        if isSame { continue }
      }
      words.set(entry.term, in: document, to: entry.posting(after.length))
    }
    for entry in before.entries[index...] { words.set(entry.term, in: document, to: nil) }
    totalLength += after.length - before.length
  }
}

/// The options of a text index that do not depend on the type of its rows.
@usableFromInline
struct TextFormat: Sendable {
  /// The names of the fields; `nil` for a field whose name is not known.
  let names: [String?]
  /// The weights of the fields.
  let weights: [Double]
  let tokenizer: any TextTokenizer
  let toleratesTypos: Bool
  /// The number of low bits of an encoded place that contain its field.
  let fieldBits: Int

  init(
    names: [String?], weights: [Double], tokenizer: any TextTokenizer, toleratesTypos: Bool
  ) {
    self.names = names
    self.weights = weights
    self.tokenizer = tokenizer
    self.toleratesTypos = toleratesTypos
    fieldBits = Int.bitWidth - max(0, names.count - 1).leadingZeroBitCount
  }

  /// Parses a query.
  func query(_ text: String) -> TextQuery { TextQuery(text, fields: names, tokenizer: tokenizer) }
}

/// The postings of one row, in the order of the terms.
struct RowPostings {
  struct Entry {
    let term: PostingTerm
    /// The encoded places.
    var places: [Int]

    func posting(_ length: Int) -> EncodedPosting {
      EncodedPosting(length: length, places: places)
    }
  }

  private(set) var entries: [Entry] = []
  /// The number of words.
  private(set) var length = 0

  init(_ texts: [String?], _ format: TextFormat) {
    var found: [(term: PostingTerm, field: Int, position: Int)] = []
    for (field, text) in texts.enumerated() {
      guard let text else { continue }
      var position = 0
      format.tokenizer.visitWords(in: text) { word in
        found.append((PostingTerm(word.text), field, position))
        position += 1
      }
    }
    length = found.count
    found.sort { a, b in
      if a.term != b.term { return PostingTerm.precedes(a.term, b.term) }
      return (a.field, a.position) < (b.field, b.position)
    }
    var place = PlaceCoding(bits: format.fieldBits)
    for (term, field, position) in found {
      if entries.last?.term != term {
        place.reset()
        entries.append(Entry(term: term, places: []))
      }
      entries[entries.count - 1].places.append(place.encode(field, position))
    }
  }
}

/// Encodes and decodes the places of a term in a row. An encoded place is the field, and the
/// distance from the place before it in the same field.
struct PlaceCoding {
  private let bits: Int
  private var field = 0
  private var position = 0

  init(bits: Int) { self.bits = bits }

  mutating func reset() {
    field = 0
    position = 0
  }

  @inline(__always)
  mutating func encode(_ field: Int, _ position: Int) -> Int {
    if field != self.field { self.position = 0 }
    let distance = position - self.position
    self.field = field
    self.position = position
    return distance << bits | field
  }

  /// Returns the field and the position of an encoded place as one number. The number of the next
  /// word in the same field is greater by one.
  @inline(__always)
  mutating func decode(_ place: Int) -> Int {
    let field = place & ((1 << bits) - 1)
    if field != self.field { position = 0 }
    self.field = field
    position += place >> bits
    return field << Self.positionBits | position
  }

  static let positionBits = 40
}

/// Builds the postings of rows in the order of their documents.
@usableFromInline
struct TextPostingsBuilder {
  private var postings: TextPostings
  private var words = PostingBuilder(isPlain: false)
  private var found: [(number: Int, field: Int, position: Int)] = []

  /// Creates a builder of postings with the fields and options of others.
  @usableFromInline
  init(_ other: TextPostings) { postings = TextPostings(other.format) }

  /// Adds a row. Its document must be greater than those of all rows that were added before.
  @usableFromInline
  mutating func append(_ document: Int, _ texts: [String?]) {
    found.removeAll(keepingCapacity: true)
    for (field, text) in texts.enumerated() {
      guard let text else { continue }
      var position = 0
      postings.format.tokenizer.visitWords(in: text) { word in
        found.append((words.number(of: word.text), field, position))
        position += 1
      }
    }
    postings.rowCount += 1
    postings.totalLength += found.count
    postings.documentEnd = document + 1
    found.sort { ($0.number, $0.field, $0.position) < ($1.number, $1.field, $1.position) }
    var coding = PlaceCoding(bits: postings.format.fieldBits)
    var posting = EncodedPosting(length: found.count)
    for index in found.indices {
      let (number, field, position) = found[index]
      posting.places.append(coding.encode(field, position))
      if index + 1 < found.count, found[index + 1].number == number { continue }
      words.append(document, posting, to: number)
      posting.places.removeAll(keepingCapacity: true)
      coding.reset()
    }
  }

  /// Returns the postings of the rows.
  @usableFromInline
  mutating func finish() -> TextPostings {
    postings.words = words.finish()
    return postings
  }
}
