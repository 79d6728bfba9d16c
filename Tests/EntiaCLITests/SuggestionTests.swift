import Testing

@testable import EntiaCLI

@Suite("Did you mean")
struct SuggestionTests {
  private let commands = ["import", "verify", "denormalize", "--help", "--version"]

  @Test(
    "Slips find their word",
    arguments: [
      ("imprt", "import"), ("improt", "import"), ("Import", "import"), ("denorm", "denormalize"),
      ("verfy", "verify"), ("-h", "--help"), ("help", "--help"), ("imports", "import"),
    ])
  func slips(word: String, meant: String) {
    #expect(Suggestion.nearest(to: word, among: commands) == meant)
  }

  @Test(
    "Other words find nothing",
    arguments: ["explain", "x", "--", "", "normalisieren", "a word that begins like nothing known"])
  func others(word: String) {
    #expect(Suggestion.nearest(to: word, among: commands) == nil)
  }

  @Test("The distance is that of the textbook")
  func distance() {
    let cases: [(String, String, Int)] = [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("kitten", "sitting", 3),
      ("ab", "ba", 1), ("abcd", "acbd", 1), ("ca", "abc", 3),
    ]
    for (first, second, expected) in cases {
      #expect(Suggestion.editDistance(Array(first), Array(second)) == expected)
      #expect(Suggestion.editDistance(Array(second), Array(first)) == expected)
    }
  }

  @Test("Of equally near words the first known one is meant")
  func ties() {
    #expect(Suggestion.nearest(to: "cat", among: ["car", "cab"]) == "car")
  }
}
