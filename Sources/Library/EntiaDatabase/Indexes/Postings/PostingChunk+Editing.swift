extension PostingChunk {
  /// The chunks that replace a chunk.
  enum Edit {
    /// No chunk is left, because the term has no other document in the chunk's range.
    case empty
    case one(PostingChunk)
    case two(PostingChunk, PostingChunk)
  }

  /// Creates the chunk of a term with one document.
  init(_ term: PostingTerm, bound: Int, _ document: Int, _ posting: EncodedPosting, isPlain: Bool) {
    var bytes = Self.start(
      of: term, distance: document - bound, capacity: posting.places.count * 2)
    posting.write(distance: document - bound, isPlain: isPlain, to: &bytes)
    self.init(head: term.head, bound: bound, count: 1, bytes: bytes)
  }

  /// Returns the chunks that replace this one when the posting of a document is set or removed.
  /// - Parameters:
  ///   - document: The document, which belongs to the range of the chunk.
  ///   - posting: The posting; `nil` to remove the document.
  ///   - term: The term of the chunk.
  ///   - isPlain: Whether the postings have no places.
  func setting(
    _ document: Int, to posting: EncodedPosting?, of term: PostingTerm, isPlain: Bool
  ) -> Edit {
    bytes.withUnsafeBufferPointer { old in
      var reader = PostingReader(old, bound: bound, isPlain: isPlain)
      let start = reader.offset
      if document > reader.last {
        guard let posting else { return .one(self) }
        return append(document, posting, of: term, old[start...], after: reader.last, isPlain)
      }
      var writer = PostingWriter(term, bound: bound, capacity: old.count + 16)
      // The postings before the document are copied unchanged. Of the postings after the document,
      // only the first is encoded again, because its distance from the preceding document changes.
      var before = bound
      var prefixEnd = start
      var prefixCount = 0
      while reader.next() {
        reader.skipPlaces()
        if reader.document >= document { break }
        before = reader.document
        prefixEnd = reader.offset
        prefixCount += 1
      }
      writer.copy(old[start..<prefixEnd], count: prefixCount, last: before)
      if let posting { writer.append(document, posting, isPlain: isPlain) }
      let isReplaced = reader.document == document
      var tail = PostingReader(old, bound: bound, isPlain: isPlain)
      tail.move(
        to: isReplaced ? reader.offset : prefixEnd, document: isReplaced ? document : before)
      if tail.next() {
        writer.append(tail.document, tail.readPosting(), isPlain: isPlain)
        let known = prefixCount + (isReplaced ? 1 : 0) + 1
        writer.copy(old[tail.offset...], count: count - known, last: reader.last)
      }
      return writer.finish(isPlain: isPlain)
    }
  }

  private func append(
    _ document: Int, _ posting: EncodedPosting, of term: PostingTerm,
    _ old: Slice<UnsafeBufferPointer<UInt8>>, after last: Int, _ isPlain: Bool
  ) -> Edit {
    // A full chunk is not divided but followed by another one, because documents are mostly
    // appended in order. All chunks but the last one are then full.
    if old.count >= Self.maximumSize {
      return .two(
        self, PostingChunk(term, bound: document, document, posting, isPlain: isPlain))
    }
    var bytes = Self.start(
      of: term, distance: document - bound, capacity: old.count + 4 + posting.places.count * 2)
    bytes += old
    posting.write(distance: document - last, isPlain: isPlain, to: &bytes)
    return .one(PostingChunk(head: head, bound: bound, count: count + 1, bytes: bytes))
  }
}

extension PostingReader {
  /// Reads and returns the current posting. None of its places may have been read before the call.
  mutating func readPosting() -> EncodedPosting {
    var posting = EncodedPosting(length: length)
    for _ in 0..<placeCount { posting.places.append(nextPlace()) }
    return posting
  }
}

/// Writes the postings of one chunk.
private struct PostingWriter {
  private let term: PostingTerm
  private let bound: Int
  private var postings: [UInt8] = []
  private var count = 0
  private var last: Int

  init(_ term: PostingTerm, bound: Int, capacity: Int) {
    self.term = term
    self.bound = bound
    last = bound
    postings.reserveCapacity(capacity)
  }

  mutating func copy(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, count: Int, last: Int
  ) {
    if count == 0 { return }
    postings += bytes
    self.count += count
    self.last = last
  }

  mutating func append(_ document: Int, _ posting: EncodedPosting, isPlain: Bool) {
    posting.write(distance: document - last, isPlain: isPlain, to: &postings)
    count += 1
    last = document
  }

  /// Returns the chunk, or two chunks if it is too large.
  func finish(isPlain: Bool) -> PostingChunk.Edit {
    if count == 0 { return .empty }
    let whole = PostingChunk(term, bound: bound, last: last, count: count, postings[...])
    if count < 2 || postings.count <= PostingChunk.maximumSize { return .one(whole) }
    return whole.bytes.withUnsafeBufferPointer { bytes in
      var reader = PostingReader(bytes, bound: bound, isPlain: isPlain)
      let start = reader.offset
      var taken = 0
      while reader.next() {
        reader.skipPlaces()
        taken += 1
        if taken == count - 1 || reader.offset - start >= postings.count / 2 { break }
      }
      let cut = reader.offset - start
      let middle = reader.document
      var rest: [UInt8] = []
      guard reader.next() else { return .one(whole) }
      // The first document of the second chunk becomes the bound of that chunk, so its distance
      // from the bound is 0.
      reader.readPosting().write(distance: 0, isPlain: isPlain, to: &rest)
      rest += postings[(reader.offset - start)...]
      return .two(
        PostingChunk(term, bound: bound, last: middle, count: taken, postings[..<cut]),
        PostingChunk(
          term, bound: reader.document, last: last, count: count - taken, rest[...]))
    }
  }
}
