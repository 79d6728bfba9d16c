import EntiaLaws
import Testing

@testable import EntiaCollections

@Suite("The order of strings")
struct TextOrderTests {
  /// Strings of letters that can be composed in several ways, each also as a beginning of others.
  private static let texts: [String] = {
    let parts = [
      "e", "\u{E9}", "e\u{301}", "e\u{323}", "\u{301}", "\u{323}", "s", "f", "\u{1112}\u{1161}",
      "\u{11AB}", "\u{D55C}", "\u{D558}", "\u{212B}", "A\u{30A}", "\u{C5}", "\u{4E00}",
      "\u{F900}", "\u{1F600}", "\u{FB01}", "\u{10FFFF}", "",
    ]
    return parts.flatMap { first in
      parts.flatMap { second in ["", "x"].map { "C" + first + second + $0 } }
    }
  }()

  @Test("Law 13: exactly one of less, equal and greater holds, and the order is transitive")
  func total() {
    let sorted = Self.texts.sorted { TextOrder.precedes($0, $1) }
    for (index, text) in sorted.enumerated() {
      for (other, later) in sorted.enumerated() {
        let isLess = TextOrder.precedes(text, later)
        if text == later {
          #expect(!isLess, "\(scalars(text)) and \(scalars(later))")
        } else {
          #expect(isLess == (index < other), "\(scalars(text)) and \(scalars(later))")
        }
        #expect(isLessOrEqual(later, text) == !isLess)
      }
    }
  }

  @Test("The order is that of the standard library where its order is total")
  func sameOrder() {
    let (ascii, composed) = (
      ["", "a", "A", "ab", "b", "~"], ["\u{E9}", "e", "f", "\u{E9}s", "z", "\u{4E00}a"]
    )
    for texts in [ascii, composed] {
      for first in texts {
        for second in texts { #expect(TextOrder.precedes(first, second) == (first < second)) }
      }
    }
  }

  @Test("A tree keeps strings apart that differ only beyond a decomposed beginning")
  func tree() {
    var tree = SortedTree<KeyThenID<String, Int>>()
    for (id, text) in ["Caf\u{E9}", "Cafe\u{301}", "Caf\u{E9}s"].enumerated() {
      let isNew = tree.insert(SortedEntry(key: text, id: id))
      #expect(isNew)
    }
    #expect(tree.map(\.id) == [0, 1, 2])
  }

  private func scalars(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
