import EntiaTestSupport
import Testing

@testable import EntiaCollections

@Suite("The order of strings")
struct TextOrderTests {
  /// Strings of letters that can be composed in several ways, each also as a beginning of others.
  private static let texts: [String] = {
    let parts = [
      "e", "\u{E9}", "e\u{301}", "\u{301}", "\u{323}", "s", "\u{1112}\u{1161}", "\u{11AB}",
      "\u{D55C}", "\u{D558}", "\u{212B}", "A\u{30A}", "\u{4E00}", "",
    ]
    return parts.flatMap { first in
      parts.flatMap { second in ["", "x"].map { "C" + first + second + $0 } }
    }
  }()

  @Test("Law 13: exactly one of less, equal and greater holds, and the order is transitive")
  func total() {
    let sorted = Self.texts.sorted { TextOrder.precedes($0, $1) }
    var faults: [String] = []
    for (index, text) in sorted.enumerated() {
      for (other, later) in sorted.enumerated() {
        let isLess = TextOrder.precedes(text, later)
        let isExpected = text != later && index < other
        if isLess != isExpected || isLessOrEqual(later, text) == isLess {
          faults.append("\(scalars(text)) and \(scalars(later))")
        }
      }
    }
    expectEqual(faults, [])
  }

  @Test("The order is that of the standard library where its order is total")
  func sameOrder() {
    let (ascii, composed) = (
      ["", "a", "A", "ab", "b", "~"], ["\u{E9}", "e", "f", "\u{E9}s", "z", "\u{4E00}a"]
    )
    for texts in [ascii, composed] {
      for first in texts {
        for second in texts { expectEqual(TextOrder.precedes(first, second), first < second) }
      }
    }
  }

  @Test("Characters and parts of strings have the same order")
  func characters() {
    let characters: [Character] = [
      "e\u{301}", "\u{E9}\u{323}", "\u{E9}", "e", "f", "\u{E9}\u{327}",
    ]
    for first in characters {
      for second in characters {
        let isLess = TextOrder.precedes(String(first), String(second))
        expectEqual(EntiaCollections.isLess(first, second), isLess)
        let (longer, other) = ("\(first)s", "\(second)s")
        expectEqual(
          EntiaCollections.isLess(longer[...], other[...]), TextOrder.precedes(longer, other))
        expectEqual(
          isLessOrEqual(first, second), !TextOrder.precedes(String(second), String(first)))
      }
    }
  }

  @Test("A tree keeps strings apart that differ only beyond a decomposed beginning")
  func tree() {
    var tree = SortedTree<KeyThenID<String, Int>>()
    for (id, text) in ["Caf\u{E9}", "Cafe\u{301}", "Caf\u{E9}s"].enumerated() {
      let isNew = tree.insert(SortedEntry(key: text, id: id))
      expectTrue(isNew)
    }
    expectEqual(tree.map(\.id), [0, 1, 2])
  }

  private func scalars(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
