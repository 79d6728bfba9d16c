import EntiaCollections

extension TextPostings {
  /// Calls the closure with each document that a query finds and its score, by ascending document.
  /// - Parameters:
  ///   - terms: The terms of the query.
  ///   - all: Returns all documents, ascending, for a query that only excludes words.
  ///   - body: Receives a document and its score.
  func search(_ terms: TextTerms, all: () -> [Int], _ body: (Int, Double) -> Void) {
    let included = terms.included
    if terms.terms.isEmpty || included.contains(where: { $0.rowCount == 0 }) { return }
    if terms.terms.count == 1, let only = included.first {
      return visitHits(of: only) { document, length, frequency in
        body(document, terms.score(length) { _ in frequency })
      }
    }
    // Begins with the rarest term. The other terms are then looked up in the fewest documents.
    let order = included.indices.sorted { included[$0].rowCount < included[$1].rowCount }
    var documents: [Int]
    var lengths: [Int] = []
    var frequencies: [[Double]] = included.map { _ in [] }
    if let rarest = order.first {
      let hits = hits(of: included[rarest])
      documents = hits.documents
      lengths = hits.lengths
      frequencies[rarest] = hits.frequencies
    } else {
      documents = all()
      lengths = documents.map { _ in 0 }
    }
    func keep(where isKept: (Int) -> Bool, _ known: [Int]) {
      let kept = documents.indices.filter(isKept)
      if kept.count == documents.count { return }
      documents = kept.map { documents[$0] }
      lengths = kept.map { lengths[$0] }
      for number in known { frequencies[number] = kept.map { frequencies[number][$0] } }
    }
    for (place, number) in order.enumerated().dropFirst() {
      frequencies[number] = self.frequencies(of: included[number], in: documents)
      keep(where: { frequencies[number][$0] >= 0 }, Array(order[...place]))
    }
    for term in terms.terms where term.isExcluded {
      let found = self.frequencies(of: term, in: documents)
      keep(where: { found[$0] < 0 }, order)
    }
    for index in documents.indices {
      body(documents[index], terms.score(lengths[index]) { frequencies[$0][index] })
    }
  }

  /// Calls the closure with each document that matches a term, ascending.
  @inline(__always)
  private func visitHits(of term: TextTerms.Term, _ body: (Int, Int, Double) -> Void) {
    let (weights, mask) = (format.weights, fieldMask)
    if term.words.count == 1, let range = soleTerm(of: term.words[0]) {
      return words.visitPostings(in: range) { reader in
        let frequency = Self.frequency(&reader, in: term.field, weights, mask)
        if frequency >= 0 { body(reader.document, reader.length, frequency) }
      }
    }
    let hits = hits(of: term)
    for index in hits.documents.indices {
      body(hits.documents[index], hits.lengths[index], hits.frequencies[index])
    }
  }

  /// Returns the chunks of a word that matches a single term; `nil` for any other word.
  private func soleTerm(of word: TextTerms.Word) -> Range<Int>? {
    guard word.ranks.count == 1, let range = word.ranks.first,
      let first = words.chunks.nth(range.lowerBound),
      let last = words.chunks.nth(range.upperBound - 1)
    else { return nil }
    return range.count == 1 || first.termBytes == last.termBytes ? range : nil
  }

  /// Returns the sum of the weights of those places of the current posting that are in `field`; -1
  /// if there are none. If `field` is `nil`, all places count.
  @inline(__always)
  private static func frequency(
    _ reader: inout PostingReader, in field: Int?, _ weights: [Double], _ mask: Int
  ) -> Double {
    if reader.placeCount == 1 {
      let placed = reader.nextPlace() & mask
      return field == nil || field == placed ? weights[placed] : -1
    }
    var frequency = 0.0
    var isFound = false
    for _ in 0..<reader.placeCount {
      let placed = reader.nextPlace() & mask
      if let field, field != placed { continue }
      isFound = true
      frequency += weights[placed]
    }
    return isFound ? frequency : -1
  }

  /// The bits of an encoded place that contain its field.
  private var fieldMask: Int { 1 << format.fieldBits - 1 }

  /// Returns the documents that match a term.
  private func hits(of term: TextTerms.Term) -> TextHits {
    if term.words.count > 1 { return phraseHits(of: term, in: nil) }
    let word = term.words[0]
    if soleTerm(of: word) == nil {
      return addsUp(word.postingCount)
        ? addedHits(of: word, in: term.field) : sortedHits(of: word, in: term.field)
    }
    var hits = TextHits()
    visitHits(of: term) { hits.append($0, $1, $2) }
    return hits
  }

  /// Returns, for each document, the sum of the weights of the places of a term; -1 for a document
  /// without the term.
  private func frequencies(of term: TextTerms.Term, in documents: [Int]) -> [Double] {
    var result = [Double](repeating: -1, count: documents.count)
    if term.words.count > 1 {
      let hits = phraseHits(of: term, in: documents)
      var index = 0
      for (document, frequency) in zip(hits.documents, hits.frequencies) {
        while documents[index] < document { index += 1 }
        result[index] = frequency
      }
      return result
    }
    let word = term.words[0]
    let (weights, mask) = (format.weights, fieldMask)
    let count = word.postingCount
    if let last = documents.last, count > last / 8, count < documents.count * 64 {
      // All chunks are read, because nearly all of them have one of the documents. Many chunks have
      // few postings, so that searching the documents for each chunk would take longer.
      var ranks = DocumentRanks(end: last + 1)
      for document in documents { ranks.insert(document) }
      ranks.count()
      for range in word.ranks {
        words.visitPostings(in: range) { reader in
          guard reader.document <= last, ranks.contains(reader.document) else {
            return reader.skipPlaces()
          }
          let index = ranks.rank(of: reader.document)
          let frequency = Self.frequency(&reader, in: term.field, weights, mask)
          if frequency >= 0 { result[index] = max(0, result[index]) + frequency }
        }
      }
      return result
    }
    for range in word.ranks {
      words.visitPostings(in: range, of: documents) { reader, index in
        let frequency = Self.frequency(&reader, in: term.field, weights, mask)
        if frequency >= 0 { result[index] = max(0, result[index]) + frequency }
      }
    }
    return result
  }

  /// Whether a word with this many postings is searched by `addedHits` instead of `sortedHits`.
  /// `addedHits` needs memory for all documents, including removed ones. For few postings, this
  /// costs too much.
  func addsUp(_ postingCount: Int) -> Bool { postingCount > documentEnd / 64 }

  /// Returns the hits of a word with many postings. Adds the frequency of each posting to the sum
  /// at the rank of its document.
  private func addedHits(of word: TextTerms.Word, in field: Int?) -> TextHits {
    let (weights, mask) = (format.weights, fieldMask)
    // Reading the postings twice costs less than memory for all documents.
    var ranks = DocumentRanks(end: documentEnd)
    for range in word.ranks {
      words.visitPostings(in: range) { reader in
        ranks.insert(reader.document)
        reader.skipPlaces()
      }
    }
    let count = ranks.count()
    var hits = TextHits()
    hits.lengths = [Int](repeating: 0, count: count)
    hits.frequencies = [Double](repeating: -1, count: count)
    for range in word.ranks {
      words.visitPostings(in: range) { reader in
        let frequency = Self.frequency(&reader, in: field, weights, mask)
        if frequency < 0 { return }
        let index = ranks.rank(of: reader.document)
        hits.lengths[index] = reader.length
        hits.frequencies[index] = max(0, hits.frequencies[index]) + frequency
      }
    }
    hits.documents.reserveCapacity(count)
    ranks.visit { hits.documents.append($0) }
    if field != nil { hits.removeEmpty() }
    return hits
  }

  /// Returns the hits of a word with few postings. Sorts the postings by document, and adds up the
  /// frequencies of each document.
  private func sortedHits(of word: TextTerms.Word, in field: Int?) -> TextHits {
    let (weights, mask) = (format.weights, fieldMask)
    var found: [(document: Int, length: Int, frequency: Double)] = []
    found.reserveCapacity(word.postingCount)
    for range in word.ranks {
      words.visitPostings(in: range) { reader in
        let frequency = Self.frequency(&reader, in: field, weights, mask)
        if frequency >= 0 { found.append((reader.document, reader.length, frequency)) }
      }
    }
    found.sort { $0.document < $1.document }
    var hits = TextHits()
    for (document, length, frequency) in found {
      if hits.documents.last == document {
        hits.frequencies[hits.frequencies.count - 1] += frequency
      } else {
        hits.append(document, length, frequency)
      }
    }
    return hits
  }
}

extension TextPostings {
  /// A document, and the place of a word in it. The place of the next word is greater by one.
  private typealias Place = (document: Int, place: Int)

  /// Returns the documents in which the words of a term are adjacent.
  private func phraseHits(of term: TextTerms.Term, in documents: [Int]?) -> TextHits {
    var documents = documents
    var lengths: [Int] = []
    let order = term.words.indices.sorted {
      term.words[$0].postingCount < term.words[$1].postingCount
    }
    if documents == nil, let rarest = order.first {
      let single = TextTerms.Term(
        words: [term.words[rarest]], isExcluded: false, field: term.field, rowCount: 0, rarity: 0)
      let hits = hits(of: single)
      documents = hits.documents
      lengths = hits.lengths
    }
    let candidates = documents ?? []
    var ends: [Place] = []
    for (number, word) in term.words.enumerated() {
      let places = places(of: word, in: term.field, candidates)
      ends = number == 0 ? places : Self.following(ends, places)
    }
    var hits = TextHits()
    var index = 0
    for (document, place) in ends {
      while candidates[index] < document { index += 1 }
      let weight = format.weights[place >> PlaceCoding.positionBits]
      if hits.documents.last == document {
        hits.frequencies[hits.frequencies.count - 1] += weight
      } else {
        hits.append(document, lengths.isEmpty ? 0 : lengths[index], weight)
      }
    }
    return hits
  }

  /// Returns the places of a word in some documents, ascending.
  private func places(
    of word: TextTerms.Word, in field: Int?, _ documents: [Int]
  ) -> [Place] {
    var result: [Place] = []
    for range in word.ranks {
      words.visitPostings(in: range, of: documents) { reader, _ in
        var coding = PlaceCoding(bits: format.fieldBits)
        for _ in 0..<reader.placeCount {
          let place = coding.decode(reader.nextPlace())
          if let field, place >> PlaceCoding.positionBits != field { continue }
          result.append((reader.document, place))
        }
      }
    }
    if soleTerm(of: word) == nil { result.sort(by: <) }
    return result
  }

  /// Returns the places in `second` that directly follow a place in `first`.
  private static func following(_ first: [Place], _ second: [Place]) -> [Place] {
    var index = 0
    return second.filter { place in
      let wanted = (document: place.document, place: place.place - 1)
      while index < first.count, first[index] < wanted { index += 1 }
      return index < first.count && first[index] == wanted
    }
  }
}
