public import EntiaCollections

/// A field that a text index can contain: a string or an optional string.
public protocol IndexedText: Sendable {
  /// The text; `nil` if there is none.
  var indexedText: String? { get }
}

extension String: IndexedText {
  /// The string itself.
  @inlinable
  public var indexedText: String? { self }
}

extension Optional: IndexedText where Wrapped: IndexedText {
  /// The text of the wrapped value.
  @inlinable
  public var indexedText: String? { self?.indexedText }
}

/// A field of a text index.
@usableFromInline
struct TextField<Entity: EntityType>: Sendable {
  let path: any PartialKeyPath<Entity> & Sendable
  /// Returns the text of the field in a row.
  @usableFromInline let read: @Sendable (Entity) -> String?

  @inlinable
  init<Text: IndexedText>(_ path: any KeyPath<Entity, Text> & Sendable) {
    let reader = FieldReader(path)
    self.init(path) { reader.read($0).indexedText }
  }

  @usableFromInline
  init(
    _ path: any PartialKeyPath<Entity> & Sendable, read: @escaping @Sendable (Entity) -> String?
  ) {
    self.path = path
    self.read = read
  }

  /// The name of the field; `nil` for a computed property, whose name is not known.
  var name: String? {
    MemoryLayout<Entity>.offset(of: path) == nil ? nil : fieldName(path)
  }

  /// Whether the field has the same text in two rows, byte by byte.
  @inlinable
  func isSame(in old: Entity, _ new: Entity) -> Bool {
    switch (read(old), read(new)) {
    case (nil, nil): true
    case (let a?, let b?): isSame(a, b)
    default: false
    }
  }

  @usableFromInline
  func isSame(_ a: String, _ b: String) -> Bool {
    let isSame = a.utf8.withContiguousStorageIfAvailable { first in
      b.utf8.withContiguousStorageIfAvailable { first.elementsEqual($0) }
    }
    return isSame.flatMap { $0 } ?? a.utf8.elementsEqual(b.utf8)
  }
}

/// The numbers of the rows of an index. A row that is inserted later has a greater number.
@usableFromInline
struct RowNumbers<ID: Hashable & Sendable & TableKey>: Sendable {
  @usableFromInline var numbers = PersistentTable<EntryKeyed<ID, Int>>()
  @usableFromInline var ids = PersistentTable<EntryKeyed<HashedKey<Int>, ID>>()
  /// The number of the next row.
  @usableFromInline var next = 0

  @inlinable
  init() {}

  /// The number of rows.
  @inlinable
  var count: Int { numbers.count }

  /// Returns the number of a new row.
  @inlinable
  mutating func insert(_ id: ID) -> Int {
    let number = next
    next += 1
    numbers.updateOrInsert(KeyValueEntry(key: id, value: number))
    ids.updateOrInsert(KeyValueEntry(key: HashedKey(number), value: id))
    return number
  }

  /// Removes a row and returns its number.
  @inlinable
  mutating func remove(_ id: ID) -> Int? {
    guard let number = numbers.remove(id)?.value else { return nil }
    ids.remove(HashedKey(number))
    return number
  }

  @inlinable
  func number(of id: ID) -> Int? { numbers[id]?.value }

  @inlinable
  func id(of number: Int) -> ID? { ids[HashedKey(number)]?.value }

  /// All numbers, ascending.
  var all: [Int] { numbers.map(\.value) }
}

/// The words of one row, among which the matches of a query are found.
struct RowText {
  private let words: [[TextWord]]

  init(_ texts: [String?], _ tokenizer: any TextTokenizer) {
    words = texts.map { $0.map { tokenizer.words(in: $0) } ?? [] }
  }

  /// The number of words.
  var length: Int { words.reduce(0) { $0 + $1.count } }

  /// Returns the positions in a field at which a term matches. Each is the position of the first
  /// word of the term.
  func positions(of term: TextTerms.Term, in field: Int) -> [Int] {
    if let wanted = term.field, wanted != field { return [] }
    let row = words[field]
    let count = term.words.count
    if row.count < count { return [] }
    return (0...(row.count - count)).filter { start in
      term.words.indices.allSatisfy { term.words[$0].matches(row[start + $0].text) }
    }
  }

  /// Returns the score of the row; `nil` if the terms do not match it.
  func score(_ terms: TextTerms, weights: [Double]) -> Double? {
    if terms.terms.isEmpty { return nil }
    for term in terms.terms where (frequency(term, weights) == nil) != term.isExcluded {
      return nil
    }
    let frequencies = terms.included.map { frequency($0, weights) ?? 0 }
    return terms.score(terms.included.isEmpty ? 0 : length) { frequencies[$0] }
  }

  /// Returns the sum of the weights of the places at which a term matches; `nil` if there are none.
  ///
  /// For each word, the weights of its places are added up first. These sums are then added up in
  /// the order of the words in the index. A search adds in the same order, because the rounding of
  /// a sum depends on the order.
  private func frequency(_ term: TextTerms.Term, _ weights: [Double]) -> Double? {
    var found: [(word: PostingTerm, weight: Double)] = []
    for field in words.indices {
      for start in positions(of: term, in: field) {
        // Every place of a phrase has the empty `PostingTerm`, so that one sum contains the
        // weights of all places.
        let word = PostingTerm(term.words.count == 1 ? words[field][start].text : "")
        if let index = found.firstIndex(where: { $0.word == word }) {
          found[index].weight += weights[field]
        } else {
          found.append((word, weights[field]))
        }
      }
    }
    if found.isEmpty { return nil }
    found.sort { PostingTerm.precedes($0.word, $1.word) }
    return found.reduce(0) { $0 + $1.weight }
  }

  /// Returns the ranges of the words of a field that the terms match, in order. Overlapping ranges
  /// are merged.
  func ranges(_ terms: TextTerms, in field: Int) -> [Range<String.Index>] {
    var matched: Set<Int> = []
    for term in terms.included {
      for start in positions(of: term, in: field) {
        matched.formUnion(start..<start + term.words.count)
      }
    }
    var result: [Range<String.Index>] = []
    for position in matched.sorted() {
      let range = words[field][position].range
      if let last = result.last, last.upperBound > range.lowerBound {
        result[result.count - 1] =
          last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
