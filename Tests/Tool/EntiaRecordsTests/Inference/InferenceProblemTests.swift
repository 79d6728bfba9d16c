import EntiaRecords
import EntiaTestSupport
import Testing

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

  @Test("A schema is recognized as such, even if it has misspelt or unknown members")
  func recognizing() {
    for text in [
      #"{"entities": {}}"#, #"{"entities": {"a": {}}}"#, #"{"entities": {"a": {"id": 5}}}"#,
      #"{"note": 1, "entities": {"a": {"relationships": {"b": {"to": "c"}}}}}"#,
      #"{"entities": {"a": {"relationship": {"b": {"to": "c"}}}}}"#,
    ] {
      expectTrue(Schema.looksLikeSchema(Array(text.utf8)), "\(text)")
    }
    for text in [
      "", "[]", "{}", #"{"entities": []}"#, #"{"entities": {"a": []}}"#, #"{"entities": "#,
      #"{"entities": {"a": {"1": {"id": 1}}}}"#,
      #"{"schema": {"entities": {}}, "entities": {"a": {}}}"#,
    ] {
      expectFalse(Schema.looksLikeSchema(Array(text.utf8)), "\(text)")
    }
  }
}
