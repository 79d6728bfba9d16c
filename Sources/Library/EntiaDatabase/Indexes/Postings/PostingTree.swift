import EntiaCollections

/// A map from terms to documents. For each term, it contains the documents with the term, and the
/// places of the term in each of them. A document is a number.
struct PostingTree: Sendable {
  /// The chunks of all terms.
  private(set) var chunks = SortedTree<PostingOrder>()
  /// Whether the places of a term in a document are not stored.
  let isPlain: Bool

  init(isPlain: Bool) { self.isPlain = isPlain }

  /// Creates a tree of chunks, which must be in the order of `PostingOrder`.
  init(_ chunks: [PostingChunk], isPlain: Bool) {
    self.chunks = SortedTree(chunks)
    self.isPlain = isPlain
  }

  /// Whether two trees are the same version.
  func isIdentical(to other: Self) -> Bool { chunks.isIdentical(to: other.chunks) }

  /// Replaces, inserts or removes the posting of a document.
  /// - Complexity: O(log *n*).
  mutating func set(_ term: PostingTerm, in document: Int, to posting: EncodedPosting?) {
    var emptied: PostingChunk?
    var split: PostingChunk?
    let isFound = chunks.updateLast {
      let order = $0.compare(with: term)
      return order < 0 || order == 0 && $0.bound <= document
    } _: { [isPlain] chunk in
      guard chunk.compare(with: term) == 0 else { return false }
      switch chunk.setting(document, to: posting, of: term, isPlain: isPlain) {
      case .empty: emptied = chunk
      case .one(let only): chunk = only
      case .two(let first, let second):
        chunk = first
        split = second
      }
      return true
    }
    if let emptied { chunks.remove(emptied) }
    if let split { chunks.insert(split) }
    if isFound != true, let posting {
      chunks.insert(PostingChunk(term, bound: 0, document, posting, isPlain: isPlain))
    }
  }

  /// Returns the ranks of the chunks of a term.
  func ranks(of term: PostingTerm) -> Range<Int> {
    let start = chunks.rank { $0.compare(with: term) < 0 }
    guard let first = chunks.nth(start), first.compare(with: term) == 0 else {
      return start..<start
    }
    return start..<chunks.rank { $0.compare(with: term) <= 0 }
  }

  /// Returns the ranks of the chunks of all terms that begin with a prefix.
  func ranks(withPrefix prefix: PostingTerm) -> Range<Int> {
    let start = chunks.rank { $0.compare(with: prefix) < 0 }
    return start..<chunks.rank { $0.compare(with: prefix) < 0 || $0.hasPrefix(prefix) }
  }

  /// Returns the number of postings in chunks.
  /// - Complexity: O(*k*) in the number of chunks.
  func postingCount(in ranks: Range<Int>) -> Int {
    var count = 0
    for chunk in chunks[ranks] { count &+= chunk.count }
    return count
  }

  /// Calls the closure with a reader at each posting in chunks, in the order of the chunks. The
  /// closure must read or skip the places.
  @inline(__always)
  func visitPostings(in ranks: Range<Int>, _ body: (inout PostingReader) -> Void) {
    for chunk in chunks[ranks] {
      chunk.bytes.withUnsafeBufferPointer { bytes in
        var reader = PostingReader(bytes, bound: chunk.bound, isPlain: isPlain)
        while reader.next() { body(&reader) }
      }
    }
  }

  /// Calls the closure with a reader at each posting of some documents. Chunks without any of them
  /// are not read.
  /// - Parameters:
  ///   - ranks: The chunks.
  ///   - documents: The documents, ascending.
  ///   - body: Receives the reader and the position of its document in `documents`. The closure
  ///     must read or skip the places.
  @inline(__always)
  func visitPostings(
    in ranks: Range<Int>, of documents: [Int], _ body: (inout PostingReader, Int) -> Void
  ) {
    documents.withUnsafeBufferPointer { documents in
      for chunk in chunks[ranks] {
        var index = documents.indices.partition { documents[$0] < chunk.bound }
        guard index < documents.count else { continue }
        chunk.bytes.withUnsafeBufferPointer { bytes in
          var reader = PostingReader(bytes, bound: chunk.bound, isPlain: isPlain)
          while index < documents.count, documents[index] <= reader.last, reader.next() {
            while documents[index] < reader.document {
              index &+= 1
              if index == documents.count { return }
            }
            if documents[index] == reader.document {
              body(&reader, index)
            } else {
              reader.skipPlaces()
            }
          }
        }
      }
    }
  }
}

/// Builds a tree from documents in ascending order.
struct PostingBuilder {
  /// The postings of one term.
  private struct List {
    let term: PostingTerm
    var finished: [PostingChunk] = []
    var postings: [UInt8] = []
    var bound = 0
    var last = 0
    var count = 0

    mutating func append(_ document: Int, _ posting: EncodedPosting, isPlain: Bool) {
      if postings.count >= PostingChunk.maximumSize {
        finish()
        bound = document
        last = document
      }
      posting.write(distance: document - last, isPlain: isPlain, to: &postings)
      last = document
      count += 1
    }

    mutating func finish() {
      if count == 0 { return }
      finished.append(
        PostingChunk(term, bound: bound, last: last, count: count, postings[...]))
      postings.removeAll(keepingCapacity: true)
      count = 0
    }
  }

  private let isPlain: Bool
  private var lists: [List] = []
  private var shortNumbers: [UInt64: Int] = [:]
  private var longNumbers: [String: Int] = [:]

  init(isPlain: Bool) { self.isPlain = isPlain }

  /// Returns the number of a term in this builder. A term without a number gets the next one.
  mutating func number(of text: String) -> Int {
    let (head, isWhole) = PostingTerm.head(of: text)
    if isWhole {
      if let number = shortNumbers[head] { return number }
      shortNumbers[head] = lists.count
    } else {
      if let number = longNumbers[text] { return number }
      longNumbers[text] = lists.count
    }
    lists.append(List(term: PostingTerm(text)))
    return lists.count - 1
  }

  /// Appends a posting to the term with a number.
  @inline(__always)
  mutating func append(_ document: Int, _ posting: EncodedPosting, to number: Int) {
    lists[number].append(document, posting, isPlain: isPlain)
  }

  /// Returns the tree of the appended postings. The builder is empty afterwards.
  mutating func finish() -> PostingTree {
    var lists: [List] = []
    swap(&lists, &self.lists)
    var chunks: [PostingChunk] = []
    chunks.reserveCapacity(lists.count)
    for index in lists.indices {
      lists[index].finish()
      lists[index].postings = []
    }
    lists.sort { PostingTerm.precedes($0.term, $1.term) }
    for list in lists { chunks += list.finished }
    return PostingTree(chunks, isPlain: isPlain)
  }
}

/// A term of postings, such as a word, by its UTF-8 bytes. Terms are in the order of their bytes.
struct PostingTerm: Hashable, Sendable {
  /// The first eight bytes as a number, padded with zeros.
  let head: UInt64
  /// The bytes after the first eight.
  let rest: [UInt8]
  /// The number of bytes.
  let count: Int

  init(_ text: String) {
    // A zero byte is stored as 1, because zeros are the padding of `head`. Only a tokenizer of the
    // user can emit a zero byte.
    head = Self.head(of: text).head
    count = text.utf8.count
    rest = count > 8 ? text.utf8.dropFirst(8).map { max(1, $0) } : []
  }

  /// Returns the first eight bytes of a term as a number, and whether the term has no more bytes.
  static func head(of text: String) -> (head: UInt64, isWhole: Bool) {
    var text = text
    return text.withUTF8 { bytes in
      var head: UInt64 = 0
      for index in 0..<min(8, bytes.count) {
        head |= UInt64(max(1, bytes[index])) << UInt64(56 - 8 * index)
      }
      return (head, bytes.count <= 8)
    }
  }

  /// Whether a term is before another in the order of their bytes.
  static func precedes(_ a: Self, _ b: Self) -> Bool {
    a.head != b.head ? a.head < b.head : a.rest.lexicographicallyPrecedes(b.rest)
  }
}

/// Reads and writes integers in as few bytes as they need: seven bits in each byte, the lowest
/// first.
enum VariableInteger {
  @inline(__always)
  static func read(_ bytes: UnsafePointer<UInt8>, _ offset: inout Int) -> Int {
    let first = bytes[offset]
    offset &+= 1
    if first < 0x80 { return Int(truncatingIfNeeded: first) }
    return readRest(Int(truncatingIfNeeded: first & 0x7F), bytes, &offset)
  }

  private static func readRest(
    _ first: Int, _ bytes: UnsafePointer<UInt8>, _ offset: inout Int
  ) -> Int {
    var value = first
    var shift = 7
    while true {
      let byte = bytes[offset]
      offset &+= 1
      value |= Int(truncatingIfNeeded: byte & 0x7F) &<< shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }

  @inline(__always)
  static func write(_ value: Int, to bytes: inout [UInt8]) {
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
