import EntiaCollections

extension Indexes {
  /// An index of the words in one or several fields, for search as the user types.
  ///
  /// ```swift
  /// @Index var bookText: Indexes.Text<Book> = .init(\.title, \.summary, weights: [2, 1])
  ///
  /// library.bookText.search("le guin disp", limit: 20)
  /// ```
  ///
  /// A row is found if it contains every term of a query:
  ///
  /// | Term | Finds |
  /// | --- | --- |
  /// | `disp` | words that begin with it |
  /// | `"left hand"` | these words, adjacent |
  /// | `-war` | rows without such words |
  /// | `title:disp` | the term in one field, by its name |
  ///
  /// Any text is a query, because what cannot be parsed is searched as words. Rows are in the order
  /// of their BM25 scores in this version of the database. Rows with equal scores are in the order
  /// in which they were inserted. After a database is loaded, the order of insertion is the order
  /// of the table.
  public struct Text<Entity: EntityType>: Sendable {
    @usableFromInline let indexed: [TextField<Entity>]
    @usableFromInline var rows = RowNumbers<Entity.EntityID>()
    @usableFromInline var postings: TextPostings

    /// Creates an index of fields.
    /// - Precondition: There are one or more fields, and no more weights than fields. Each weight
    ///   is finite and not negative.
    /// - Parameters:
    ///   - path: The fields: strings or optional strings.
    ///   - weights: The weight of each field in the rank, zero or more; 1 for a field without a
    ///     weight.
    ///   - toleratesTypos: Whether a word of a query also finds words with typos. Typos are
    ///     tolerated only if no word of any row begins with the query's word. One typo is allowed
    ///     if the query's word has at least four letters, and two if it has at least eight. An
    ///     excluded word excludes only rows that have it without typos.
    ///   - tokenizer: Divides text into words.
    @inlinable
    public init<each Field: IndexedText>(
      _ path: repeat any KeyPath<Entity, each Field> & Sendable, weights: [Double] = [],
      toleratesTypos: Bool = false, tokenizer: any TextTokenizer = UnicodeWords()
    ) {
      var fields: [TextField<Entity>] = []
      for path in repeat each path { fields.append(TextField(path)) }
      self.init(fields, weights, toleratesTypos, tokenizer)
    }

    @usableFromInline
    init(
      _ fields: [TextField<Entity>], _ weights: [Double], _ toleratesTypos: Bool,
      _ tokenizer: any TextTokenizer
    ) {
      let index = "the text index of \(TypeName.of(Entity.self))"
      precondition(!fields.isEmpty, "\(index) has no fields: pass their key paths")
      precondition(
        weights.count <= fields.count,
        "\(index) has \(weights.count) weights of \(fields.count) fields")
      for weight in weights where !weight.isFinite || weight < 0 {
        preconditionFailure(
          "\(index) has the weight \(weight): a weight is finite and not negative")
      }
      indexed = fields
      postings = TextPostings(
        TextFormat(
          names: fields.map(\.name),
          weights: fields.indices.map { $0 < weights.count ? weights[$0] : 1 },
          tokenizer: tokenizer, toleratesTypos: toleratesTypos))
    }

    /// The number of rows.
    /// - Complexity: O(1).
    public var count: Int { rows.count }

    /// Whether two indexes are the same version of an index of the same fields.
    func isIdentical(to other: Self) -> Bool {
      rows.next == other.rows.next && rows.count == other.rows.count
        && indexed.map(\.path) as [AnyKeyPath] == other.indexed.map(\.path) as [AnyKeyPath]
        && postings.words.isIdentical(to: other.postings.words)
    }
  }
}

extension Indexes.Text: IndexType, RebuildableIndex {
  /// The indexed fields, and every row. A row without words is included, because a query that only
  /// excludes words finds it.
  public var traits: IndexTraits<Entity> {
    IndexTraits(fields: indexed.map { IndexField(path: $0.path) }, coverage: .allRows)
  }

  /// Updates the index for an inserted (`old` is `nil`), changed or removed (`new` is `nil`) row.
  /// - Complexity: O(*k* · log *n*) for *k* words that changed; no update when the texts are the
  ///   same.
  @inlinable
  public mutating func rowChanged(from old: Entity?, to new: Entity?) {
    switch (old, new) {
    case (nil, nil): return
    case (nil, let new?):
      postings.insert(rows.insert(new.entityID), texts(of: new))
    case (let old?, nil):
      guard let number = rows.remove(old.entityID) else { return }
      postings.remove(number, texts(of: old))
    case (let old?, let new?):
      if indexed.allSatisfy({ $0.isSame(in: old, new) }) { return }
      guard let number = rows.number(of: old.entityID) else { return }
      postings.replace(number, texts(of: old), by: texts(of: new))
    }
  }

  @inlinable
  func texts(of row: Entity) -> [String?] { indexed.map { $0.read(row) } }

  /// Rebuilds the index from rows, regardless of its contents.
  /// - Parameter visitRows: Calls its closure with every row.
  /// - Complexity: O(*n* log *n*) in the number of words.
  @inlinable
  public mutating func rebuild(_ visitRows: (_ visit: (Entity) -> Void) -> Void) {
    var builder = TextPostingsBuilder(postings)
    var numbers = RowNumbers<Entity.EntityID>()
    visitRows { row in builder.append(numbers.insert(row.entityID), texts(of: row)) }
    rows = numbers
    postings = builder.finish()
  }

  /// Returns the differences between this index and the same index built from every row. A row that
  /// only one of the indexes has is a mismatch. A word whose places in a row differ between the
  /// indexes is also a mismatch.
  /// - Complexity: O(*n*) in the number of words.
  package func mismatches(from rebuilt: Self) -> [IndexMismatch] {
    IndexMismatch.between(entries, rebuilt.entries)
  }

  /// For each word and each list of places, the rows that have the word at these places. All rows
  /// are also listed without a word.
  private var entries: [(HashedKey<PlacedWord>, [Entity.EntityID])] {
    var result: [PlacedWord: [Entity.EntityID]] = [:]
    for row in rows.numbers {
      result[PlacedWord(word: nil, places: []), default: []].append(row.key)
    }
    postings.visitWords { word, document, places in
      guard let id = rows.id(of: document) else { return }
      result[PlacedWord(word: word, places: places), default: []].append(id)
    }
    return result.map { (HashedKey($0.key), $0.value) }
  }
}

/// A word and its places in a row, for the comparison of two text indexes.
struct PlacedWord: Hashable, Sendable, CustomStringConvertible {
  /// The word, or `nil` in the entry that lists the row without its words.
  let word: String?
  /// The encoded places, followed by the number of words of the row.
  let places: [Int]

  var description: String { word ?? "the row" }
}

extension TextPostings {
  /// Calls the closure with each word of each document.
  func visitWords(_ body: (_ word: String, _ document: Int, _ places: [Int]) -> Void) {
    for chunk in words.chunks {
      let word = String(decoding: chunk.termBytes, as: UTF8.self)
      chunk.bytes.withUnsafeBufferPointer { bytes in
        var reader = PostingReader(bytes, bound: chunk.bound, isPlain: false)
        while reader.next() {
          let posting = reader.readPosting()
          body(word, reader.document, posting.places + [posting.length])
        }
      }
    }
  }
}
