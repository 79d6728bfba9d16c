import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@Suite("Runs")
struct LawRunsTests {
  func runs(_ environment: [String: String]) -> LawRuns {
    LawRuns(count: 3, steps: 10, corpus: [99], environment: environment)
  }

  @Test("The corpus comes first, and ENTIA_TEST_SCALE multiplies the rest")
  func scale() {
    expectEqual(runs([:]).seeds, [99, 1, 7920, 15839])
    let scaled = runs(["ENTIA_TEST_SCALE": "2"]).seeds
    expectTrue(scaled.count == 7 && Array(scaled.prefix(4)) == runs([:]).seeds)
    expectEqual(runs(["ENTIA_TEST_SEED": "42"]).seeds, [42])
  }

  @Test(
    "A setting that cannot be read is an error, not a pass",
    arguments: [
      ("ENTIA_TEST_SCALE", "many"), ("ENTIA_TEST_SCALE", "0"), ("ENTIA_TEST_SEED", "-1"),
    ])
  func unreadable(variable: String, value: String) {
    let error = #expect(throws: LawSettingsError.self) {
      try StorageLaws(NotesSubject.self, runs: runs([variable: value])).check()
    }
    expectEqual(
      error?.description, "\(variable) is \"\(value)\", which is not a whole number in its range")
  }

  @Test("Equal seeds give equal numbers, the same everywhere")
  func generator() {
    var random = SeededGenerator(seed: 42)
    var same = SeededGenerator(seed: 42)
    var other = SeededGenerator(seed: 43)
    let numbers = (0..<3).map { _ in random.next() }
    expectEqual(numbers, (0..<3).map { _ in same.next() })
    expectTrue(numbers != (0..<3).map { _ in other.next() })
    expectEqual(numbers[0], 13_679_457_532_755_275_413)
    expectTrue((0..<100).allSatisfy { _ in (2..<5).contains(random.number(in: 2..<5)) })
  }
}
