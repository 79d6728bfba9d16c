import EntiaTestSupport
import Testing

@testable import EntiaCLI

@Suite("Did you mean")
struct DidYouMeanTests {
  private let commands = ["import", "verify", "denormalize", "schema", "--help", "--version"]

  @Test(
    "Misspelt words have a suggestion",
    arguments: [
      ("imprt", "import"), ("improt", "import"), ("Import", "import"), ("denorm", "denormalize"),
      ("verfy", "verify"), ("-h", "--help"), ("help", "--help"), ("imports", "import"),
    ])
  func slips(word: String, meant: String) {
    expectEqual(DidYouMean.nearest(to: word, among: commands), meant)
  }

  @Test(
    "Other words have no suggestion",
    arguments: [
      "explain", "x", "-x", "--", "", "normalisieren", "a word that begins like nothing known",
    ])
  func others(word: String) {
    expectNil(DidYouMean.nearest(to: word, among: commands))
  }

  @Test("Of equally similar words, the first is suggested")
  func ties() {
    expectEqual(DidYouMean.nearest(to: "cat", among: ["car", "cab"]), "car")
  }
}
