import EntiaCollections
import EntiaLaws
import EntiaTestSupport
import Testing

@testable import EntiaDatabase

@Suite("Postings")
struct PostingTreeTests {
  /// Terms with common beginnings, below and above eight bytes.
  private static let terms = [
    "a", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghij", "abcdefghik", "b", "東京",
    "東京都庁", "z",
  ]

  private func contents(_ tree: PostingTree) -> [String: [Int: [Int]]] {
    var result: [String: [Int: [Int]]] = [:]
    for chunk in tree.chunks {
      let term = String(decoding: chunk.termBytes, as: UTF8.self)
      var last = -1
      var count = 0
      chunk.bytes.withUnsafeBufferPointer { bytes in
        var reader = PostingReader(bytes, bound: chunk.bound, isPlain: tree.isPlain)
        while reader.next() {
          expectTrue(reader.document > last && reader.document >= chunk.bound)
          last = reader.document
          count += 1
          result[term, default: [:]][last] = tree.isPlain ? [] : reader.readPosting().places
        }
        expectEqual(last, reader.last)
      }
      expectTrue(count == chunk.count && count > 0)
    }
    return result
  }

  @Test("Random histories agree with a dictionary, and so do versions", arguments: [false, true])
  func histories(isPlain: Bool) {
    for seed in LawRuns(count: 3).seeds {
      var random = SeededGenerator(seed: seed)
      var tree = PostingTree(isPlain: isPlain)
      var model: [String: [Int: [Int]]] = [:]
      var versions: [(PostingTree, [String: [Int: [Int]]])] = []
      for step in 0..<4000 {
        let term = Self.terms[min(random.number(in: 0..<12), random.number(in: 0..<12))]
        // Documents are mostly appended, and sometimes changed; numbers grow large.
        let document = random.oneIn(3) ? random.number(in: 0..<max(1, step)) * 97 : step * 97
        let isRemoved = random.oneIn(step < 3000 ? 5 : 2)
        let places = isPlain ? [] : (0..<random.number(in: 1..<4)).map { $0 * 200 }
        tree.set(
          PostingTerm(term), in: document,
          to: isRemoved ? nil : EncodedPosting(length: 9, places: places))
        model[term, default: [:]][document] = isRemoved ? nil : places
        if step % 800 == 0 { versions.append((tree, model)) }
      }
      versions.append((tree, model))
      for (tree, model) in versions {
        expectEqual(contents(tree), model.filter { !$0.value.isEmpty }, "seed \(seed)")
        for term in Self.terms {
          let own = model[term]?.count ?? 0
          expectEqual(tree.postingCount(in: tree.ranks(of: PostingTerm(term))), own)
          let begun = model.filter { $0.key.utf8.starts(with: term.utf8) }
          expectEqual(
            tree.postingCount(in: tree.ranks(withPrefix: PostingTerm(term))),
            begun.reduce(0) { $0 + $1.value.count })
        }
      }
      for (term, documents) in model {
        for document in documents.keys { tree.set(PostingTerm(term), in: document, to: nil) }
      }
      expectTrue(tree.chunks.isEmpty)
    }
  }

  @Test("Terms are in the order of their bytes")
  func order() {
    for a in Self.terms {
      for b in Self.terms {
        expectEqual(
          PostingTerm.precedes(PostingTerm(a), PostingTerm(b)),
          a.utf8.lexicographicallyPrecedes(b.utf8), "\(a), \(b)")
      }
    }
  }
}
