import EntiaCoding
import EntiaTestSupport
import Testing

@Suite("JSON values, canonical text and writing")
struct JSONTextTests {
  @Test(
    "the canonical form",
    arguments: [
      (" [ 1 , 2 ] ", "[1,2]"),
      ("{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}"),
      (
        "{\"b\":{\"d\":1,\"c\":[{\"f\":0,\"e\":0}]},\"a\":2}",
        "{\"a\":2,\"b\":{\"c\":[{\"e\":0,\"f\":0}],\"d\":1}}"
      ),
      ("\"\\u0041\\/\\u00e9\\ud83d\\ude00\"", "\"A/é😀\""),
      ("\"\\u0008\\u000c\\u000A\\u000d\\u0009\"", "\"\\b\\f\\n\\r\\t\""),
      ("\"\\u0000\\u001F\\u007f\"", "\"\\u0000\\u001f\u{7f}\""),
      ("\"\\\"\\\\\"", "\"\\\"\\\\\""),
      ("[1.50,1E5,-0]", "[1.50,1E5,-0]"),
      // Sorted by what a name says, not by how it is written.
      ("{\"\\u0062\":1,\"a\":2,\"\\n\":3}", "{\"\\n\":3,\"a\":2,\"b\":1}"),
      ("{\"é\":1,\"z\":2,\"😀\":3,\"ﬀ\":4}", "{\"z\":2,\"é\":1,\"ﬀ\":4,\"😀\":3}"),
      ("{\"ab\":1,\"a\":2,\"\":3}", "{\"\":3,\"a\":2,\"ab\":1}"),
    ])
  func canonical(text: String, canonical: String) throws {
    try expectEqual(JSONText.parse(Array(text.utf8)).text, canonical)
  }

  @Test("a repeated member name is an error at the second member, in any spelling")
  func duplicates() {
    for (text, offset) in [
      ("{\"a\":1,\"a\":1}", 7), ("{\"a\":1,\"b\":2,\"\\u0061\":1}", 13),
      ("[{\"x\":{\"b\":0,\"a\":0,\"b\":0}}]", 19), ("{\"\":1,\"\":2}", 6),
      ("{\"\\n\":1,\"\\u000a\":2}", 8),
    ] {
      for parse in [
        { try JSONText.parse(Array(text.utf8)).text },
        {
          _ = try JSONValue.parse(text)
          return ""
        },
      ] as [() throws -> String] {
        let error = #expect(throws: JSONError.self) { try parse() }
        expectEqual(error?.kind, .duplicateName)
        expectEqual(error?.offset, offset)
      }
    }
  }

  @Test("canonically equivalent strings remain different")
  func exactStrings() throws {
    let text = "{\"\u{e9}\":1,\"e\u{301}\":2}"
    try expectEqual(JSONText.parse(Array(text.utf8)).text, "{\"e\u{301}\":2,\"\u{e9}\":1}")
    try expectTrue(JSONValue.parse("\"\u{e9}\"") != JSONValue.parse("\"e\u{301}\""))
    try expectEqual(JSONValue.parse(text)["\u{e9}"], .number(JSONNumber(1)))
  }

  @Test("trees are equal by content, members in any order")
  func equality() throws {
    let left = try JSONValue.parse("{\"a\":[1,true,null,\"x\"],\"b\":{}}")
    expectEqual(left, try JSONValue.parse("{\"b\":{},\"a\":[1,true,null,\"x\"]}"))
    expectTrue(left != (try JSONValue.parse("{\"b\":{},\"a\":[1,true,null,\"y\"]}")))
    expectTrue(left != (try JSONValue.parse("{\"b\":{},\"a\":[1.0,true,null,\"x\"]}")))
    expectEqual(left["a"], .array([.number(JSONNumber(1)), .bool(true), .null, .string("x")]))
    expectNil(left["c"])
    try expectEqual(JSONText(left).value(), left)
  }

  @Test("compact text is read and written with the same bytes")
  func roundTrip() throws {
    let text = "{\"b\":[1.50,{}],\"a\":{\"x\":\"\\n\\\"é\"},\"c\":[]}"
    expectEqual(String(decoding: try JSONValue.parse(text).bytes(), as: UTF8.self), text)
  }

  @Test("line breaks end at the requested depth")
  func lines() throws {
    let value = try JSONValue.parse("{\"a\":[1,[2,{\"b\":3}]],\"c\":{},\"d\":[]}")
    expectEqual(
      String(decoding: value.bytes(layout: .lines(depth: 2)), as: UTF8.self),
      """
      {
        "a": [
          1,
          [2,{"b":3}]
        ],
        "c": {},
        "d": []
      }
      """)
    expectEqual(
      String(decoding: value.bytes(layout: .lines(depth: 0)), as: UTF8.self),
      String(decoding: value.bytes(), as: UTF8.self))
  }

  @Test("paths quote names that are not plain words")
  func paths() {
    expectEqual(JSONPath.root.description, "$")
    expectEqual(JSONPath.root.index(3).name("author").description, "$[3].author")
    expectEqual(JSONPath.root.name("odd key").name("_a1").description, "$[\"odd key\"]._a1")
    expectEqual(JSONPath.root.name("").name("1a").name("é").description, "$[\"\"][\"1a\"][\"é\"]")
    expectEqual(JSONPath.root.name("a\"b\n").description, "$[\"a\\\"b\\n\"]")
    expectEqual(JSONPath([.name("a"), .skipped(7), .index(1)]).description, "$.a…(7 more)…[1]")
  }
}
