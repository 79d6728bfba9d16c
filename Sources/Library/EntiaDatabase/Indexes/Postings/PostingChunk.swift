import EntiaCollections

/// The postings of one term in a range of documents, in order. A posting is a document that
/// contains the term, with the places of the term in the document.
///
/// A rare term has one chunk. The chunks of a frequent term have a few hundred bytes each, because
/// a change copies a whole chunk. A chunk that was written is never changed.
///
/// `bytes` contains the rest of the term, the distance from `bound` to the last document, and the
/// postings. A posting begins with the distance from the document before it. If the tree stores
/// places, the length of the document and the places follow. All numbers are variable integers.
struct PostingChunk: Sendable {
  /// The first bytes of the term.
  let head: UInt64
  /// `count` in the lowest 16 bits, and `bound` in the other bits.
  private let place: UInt64
  let bytes: [UInt8]

  /// The first document of the chunk's range. The chunk need not contain a posting of it.
  @inline(__always)
  var bound: Int { Int(truncatingIfNeeded: place &>> 16) }

  /// The number of documents.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: place & 0xFFFF) }

  init(head: UInt64, bound: Int, count: Int, bytes: [UInt8]) {
    self.head = head
    place = UInt64(truncatingIfNeeded: bound) &<< 16 | UInt64(truncatingIfNeeded: count)
    self.bytes = bytes
  }

  /// Creates a chunk of encoded postings.
  init(
    _ term: PostingTerm, bound: Int, last: Int, count: Int, _ postings: ArraySlice<UInt8>
  ) {
    var bytes = Self.start(of: term, distance: last - bound, capacity: postings.count)
    bytes += postings
    self.init(head: term.head, bound: bound, count: count, bytes: bytes)
  }

  /// Returns the bytes of a chunk before its postings.
  /// - Parameters:
  ///   - term: The term.
  ///   - distance: The distance from `bound` to the last document.
  ///   - capacity: The expected number of bytes of the postings.
  static func start(of term: PostingTerm, distance: Int, capacity: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity + term.rest.count + 8)
    VariableInteger.write(term.rest.count, to: &bytes)
    bytes += term.rest
    VariableInteger.write(distance, to: &bytes)
    return bytes
  }

  /// The number of bytes of postings after which a chunk is divided.
  static let maximumSize = 512

  /// Returns -1 if the chunk's term precedes `term`, 1 if it follows `term`, and 0 if both are the
  /// same.
  @inline(__always)
  func compare(with term: PostingTerm) -> Int {
    if head != term.head { return head < term.head ? -1 : 1 }
    return head & 0xFF == 0 ? 0 : compareRest(with: term)
  }

  private func compareRest(with term: PostingTerm) -> Int {
    withRest { a in term.rest.withUnsafeBufferPointer { Self.compare(a, $0) } }
  }

  /// Whether the chunk's term begins with `prefix`.
  func hasPrefix(_ prefix: PostingTerm) -> Bool {
    if prefix.count <= 8 {
      let shift = UInt64(64 - 8 * prefix.count)
      return prefix.count == 0 || head >> shift == prefix.head >> shift
    }
    return head == prefix.head && withRest { $0.starts(with: prefix.rest) }
  }

  /// The UTF-8 bytes of the term.
  var termBytes: [UInt8] {
    var result = (0..<8).map { UInt8(truncatingIfNeeded: head >> UInt64(56 - 8 * $0)) }
    while result.last == 0 { result.removeLast() }
    withRest { result += $0 }
    return result
  }

  private func withRest<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return body(all) }
      var offset = 0
      let count = VariableInteger.read(base, &offset)
      return body(UnsafeBufferPointer(start: base + offset, count: count))
    }
  }

  private static func compare(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      return a[index] < b[index] ? -1 : 1
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }

  /// Whether a chunk is before another: by term, then by document.
  static func precedes(_ a: Self, _ b: Self) -> Bool {
    if a.head != b.head { return a.head < b.head }
    if a.head & 0xFF != 0 {
      let order = a.withRest { x in b.withRest { compare(x, $0) } }
      if order != 0 { return order < 0 }
    }
    return a.bound < b.bound
  }
}

/// The order of the chunks in a tree.
enum PostingOrder: SortedElements {
  static func key(of element: PostingChunk) -> PostingChunk { element }
  static func keyPrecedes(_ a: PostingChunk, _ b: PostingChunk) -> Bool {
    PostingChunk.precedes(a, b)
  }
  static func tiePrecedes(_ a: PostingChunk, _ b: PostingChunk) -> Bool { false }
  static func precedes(_ a: PostingChunk, _ b: PostingChunk) -> Bool {
    PostingChunk.precedes(a, b)
  }
}

/// Reads the postings of a chunk in order. The bytes must outlive the reader.
struct PostingReader {
  private let bytes: UnsafePointer<UInt8>
  private let end: Int
  private let isPlain: Bool
  /// The offset of the next byte to read.
  private(set) var offset = 0
  /// The last document of the chunk.
  let last: Int
  /// The current document.
  private(set) var document: Int
  /// The number of words of the current document.
  private(set) var length = 0
  /// The number of places of the term in the current document.
  private(set) var placeCount = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, bound: Int, isPlain: Bool) {
    // Not `nil`, because the bytes of a chunk are never empty.
    self.bytes = bytes.baseAddress.unsafelyUnwrapped
    end = bytes.count
    self.isPlain = isPlain
    let restCount = VariableInteger.read(self.bytes, &offset)
    offset += restCount
    document = bound
    last = bound + VariableInteger.read(self.bytes, &offset)
  }

  /// Reads the next document, or returns `false` if there is none. The places of the current
  /// document must have been read or skipped.
  @inline(__always)
  mutating func next() -> Bool {
    if offset >= end { return false }
    let distance = VariableInteger.read(bytes, &offset)
    if isPlain {
      document &+= distance
      return true
    }
    document &+= distance &>> 1
    length = VariableInteger.read(bytes, &offset)
    placeCount = distance & 1 == 1 ? 1 : VariableInteger.read(bytes, &offset)
    return true
  }

  /// Reads the next place of the current document, in its encoded form.
  @inline(__always)
  mutating func nextPlace() -> Int { VariableInteger.read(bytes, &offset) }

  /// Moves to the end of a posting that was read before.
  mutating func move(to offset: Int, document: Int) {
    self.offset = offset
    self.document = document
  }

  @inline(__always)
  mutating func skipPlaces() {
    if isPlain { return }
    for _ in 0..<placeCount { _ = nextPlace() }
  }
}

/// The posting of a document, in the form in which a chunk stores it.
struct EncodedPosting {
  var length = 0
  /// The encoded places; empty if the tree does not store places.
  var places: [Int] = []

  @inline(__always)
  func write(distance: Int, isPlain: Bool, to bytes: inout [UInt8]) {
    if isPlain { return VariableInteger.write(distance, to: &bytes) }
    VariableInteger.write(distance << 1 | (places.count == 1 ? 1 : 0), to: &bytes)
    VariableInteger.write(length, to: &bytes)
    if places.count != 1 { VariableInteger.write(places.count, to: &bytes) }
    for place in places { VariableInteger.write(place, to: &bytes) }
  }
}
