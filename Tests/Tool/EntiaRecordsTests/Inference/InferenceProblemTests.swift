import EntiaTestSupport
import Testing

@testable import EntiaRecords

@Suite("Inputs from which no schema can be guessed")
struct InferenceProblemTests {
  @Test(
    "The problem is reported with the file and the path",
    arguments: [
      (
        "",
        "a.json: $: error: malformedJSON: the text is empty; expected a value at line 1, column 1 (byte 0)"
      ),
      ("[]", "a.json: $: error: typeMismatch: there are no records to guess from"),
      ("[1, 2]", "a.json: $: error: typeMismatch: there are no records to guess from"),
      (
        "3",
        "a.json: $: error: typeMismatch: expected an array or an object of records, found a number"
      ),
      (
        "[{\"id\": 1}, {\"id\": }]",
        "a.json: $[1].id: error: malformedJSON: expected a value, found '}' at line 1, column 20 (byte 19)"
      ),
      (
        "{\"schema\": {\"entities\": {\"a\": {\"id\": 1}}}, \"entities\": {\"a\": [{\"id\": 1}]}}",
        "a.json: $.schema.entities.a.id: error: invalidSchema: expected a string, found a number"
      ),
    ])
  func problems(text: String, problem: String) {
    let source = ImportSource(name: "a.json", bytes: Array(text.utf8))
    switch SchemaInference.inferring(from: [source]) {
    case .success(let inference): Issue.record("\(inference.explanation())")
    case .failure(let failure): expectEqual(failure.description, problem)
    }
  }

  private func looksLikeSchema(_ text: String) -> Bool {
    Schema.looksLikeSchema(ImportSource(name: "", bytes: Array(text.utf8)))
  }

  @Test("A schema is recognized as such, even if it has misspelt or unknown members")
  func recognizing() {
    for text in [
      #"{"entities": {}}"#, #"{"entities": {"a": {}}}"#, #"{"entities": {"a": {"id": 5}}}"#,
      #"{"note": 1, "entities": {"a": {"relationships": {"b": {"to": "c"}}}}}"#,
      #"{"entities": {"a": {"relationship": {"b": {"to": "c"}}}}}"#,
    ] {
      expectTrue(looksLikeSchema(text), "\(text)")
    }
    for text in [
      "", "[]", "{}", #"{"entities": []}"#, #"{"entities": {"a": []}}"#, #"{"entities": "#,
      #"{"entities": {"a": {"1": {"id": 1}}}}"#,
      #"{"schema": {"entities": {}}, "entities": {"a": {}}}"#,
    ] {
      expectFalse(looksLikeSchema(text), "\(text)")
    }
  }
}

@Suite("A sample of a member's values")
struct SampledKeysTests {
  private func hashes(_ numbers: Range<Int>) -> Set<UInt64> {
    Set(numbers.map { ValueHash.of("\($0)".utf8, tag: 0) })
  }

  /// The overlap, and the number of look-ups that it takes.
  private func overlap(
    _ keys: Set<UInt64>, with ids: Set<UInt64>
  ) -> (overlap: Int?, lookups: Int) {
    var lookups = 0
    let overlap = SampledKeys(keys).overlap { key in
      lookups += 1
      return ids.contains(key)
    }
    return (overlap, lookups)
  }

  @Test("values that are no IDs are looked up 64 times, however many there are")
  func disjoint() {
    for count in [1_000, 20_000] {
      let (overlap, lookups) = overlap(hashes(0..<count), with: hashes(count..<2 * count))
      expectTrue(overlap == nil && lookups == 64)
    }
  }

  @Test(
    "a quarter of the values is counted exactly, and fewer are none", arguments: [8, 256, 4_000])
  func exact(count: Int) {
    for part in [count / 3, count / 2, count] {
      expectEqual(overlap(hashes(0..<count), with: hashes(0..<part)).overlap, part, "\(part)")
    }
    expectNil(overlap(hashes(0..<count), with: hashes(0..<count / 4 - 1)).overlap)
  }

  @Test("the sample is the same for sets that were built in different orders")
  func deterministic() {
    let numbers = 0..<2_000
    let ids = hashes(0..<300)
    var keys: Set<UInt64> = []
    keys.reserveCapacity(10_000)
    for hash in hashes(numbers).sorted().reversed() { keys.insert(hash) }
    let (left, right) = (overlap(keys, with: ids), overlap(hashes(numbers), with: ids))
    expectTrue(left.overlap == right.overlap && (left.lookups == 64) == (right.lookups == 64))
  }
}
