import EntiaRecords
import Testing

/// One wrong input, and every problem that it must give.
struct WrongInput: CustomTestStringConvertible, Sendable {
  var format = ImportFormat.nested
  let text: String
  /// Without the name of the input; a problem of a line begins with a colon and its line.
  let problems: [String]
  var testDescription: String { text }

  /// The problems as they are printed.
  var printed: [String] { problems.map { $0.hasPrefix(":") ? "in.json" + $0 : "in.json: " + $0 } }
}

/// Problems start with `in.json: `; it is left out here.
let wrongInputs: [WrongInput] = [
  // Missing IDs.
  WrongInput(
    text: "[{\"id\":\"p1\"},{\"title\":\"x\"}]",
    problems: ["$[1]: error: missingID: this record of posts has no \"id\""]),
  WrongInput(
    text: "[{\"id\":null},{\"id\":[1]},{\"id\":true,\"author\":{\"name\":\"x\"}}]",
    problems: [
      "$[0]: error: missingID: the \"id\" of this record of posts is null",
      "$[1]: error: missingID: the \"id\" of this record of posts is an array; "
        + "an ID is a number or a string",
      "$[2]: error: missingID: the \"id\" of this record of posts is a boolean; "
        + "an ID is a number or a string",
      "$[2].author: error: missingID: this record of authors has no \"id\"",
    ]),
  // Wrong shapes of relationships.
  WrongInput(
    text: "[{\"id\":1,\"author\":[\"a1\"]},{\"id\":2,\"author\":true}]",
    problems: [
      "$[0].author: error: typeMismatch: \"author\" of posts refers to one row of authors: "
        + "expected an ID, an object or null, found an array",
      "$[1].author: error: typeMismatch: \"author\" of posts refers to one row of authors: "
        + "expected an ID, an object or null, found a boolean",
    ]),
  WrongInput(
    text: "[{\"id\":1,\"comments\":\"c1\"},{\"id\":2,\"comments\":[null,[],true,{\"id\":{}}]}]",
    problems: [
      "$[0].comments: error: typeMismatch: \"comments\" of posts refers to rows of comments: "
        + "expected an array or null, found a string",
      "$[1].comments[0]: error: typeMismatch: \"comments\" of posts refers to rows of comments: "
        + "expected an ID or an object, found null",
      "$[1].comments[1]: error: typeMismatch: \"comments\" of posts refers to rows of comments: "
        + "expected an ID or an object, found an array",
      "$[1].comments[2]: error: typeMismatch: \"comments\" of posts refers to rows of comments: "
        + "expected an ID or an object, found a boolean",
      "$[1].comments[3]: error: missingID: the \"id\" of this record of comments is an object; an "
        + "ID is a number or a string",
    ]),
  WrongInput(
    text: "[1,{\"id\":1},[[]],null]",
    problems: [
      "$[0]: error: typeMismatch: expected an object as a record of posts, found a number",
      "$[2]: error: typeMismatch: expected an object as a record of posts, found an array",
      "$[3]: error: typeMismatch: expected an object as a record of posts, found null",
    ]),
  WrongInput(
    text: "true",
    problems: [
      "$: error: typeMismatch: expected an object as a record of posts, found a boolean"
    ]),
  WrongInput(
    format: .auto, text: " 7",
    problems: [
      "$: error: typeMismatch: expected an array or an object of records, found a number"
    ]),
  // Two types of one ID.
  WrongInput(
    text: "[{\"id\":1},{\"id\":\"1\"}]",
    problems: [
      "$[1]: error: typeMismatch: posts \"1\" has the same text as the ID 1, of another type, in "
        + "in.json: $[0]"
    ]),
  WrongInput(
    text: "[{\"id\":\"-2\"},{\"id\":\"x\"},{\"id\":-2}]",
    problems: [
      "$[2]: error: typeMismatch: posts -2 has the same text as the ID \"-2\", of another type, in "
        + "in.json: $[0]"
    ]),
  WrongInput(
    text: "[{\"id\":100},{\"id\":1e2},{\"id\":0},{\"id\":-0}]",
    problems: [
      "$[1]: error: typeMismatch: posts 1e2 is the same number as the ID 100, in another spelling, "
        + "in in.json: $[0]",
      "$[3]: error: typeMismatch: posts -0 is the same number as the ID 0, in another spelling, in "
        + "in.json: $[2]",
    ]),
  // Conflicts.
  WrongInput(
    text: "[{\"id\":1,\"a\":1,\"b\":2,\"c\":3},{\"id\":1,\"a\":1,\"b\":3,\"c\":4}]",
    problems: [
      "$[1]: error: conflict: posts 1 differs in \"b\" (3 here, 2 there), \"c\" (4 here, 3 "
        + "there) from the one in in.json: $[0]"
    ]),
  WrongInput(
    text: "[{\"id\":1},{\"id\":1,\"a\":1},{\"id\":1,\"a\":1.0}]",
    problems: [
      "$[2]: error: conflict: posts 1 differs in \"a\" (1.0 here, 1 there) from the one in "
        + "in.json: $[1]"
    ]),
  WrongInput(
    text: "[{\"id\":1,\"author\":{\"id\":\"a\",\"n\":null}},{\"id\":2,\"author\":{\"id\":\"a\","
      + "\"n\":\"x\"}}]",
    problems: [
      "$[1].author: error: conflict: authors \"a\" differs in \"n\" (\"x\" here, null there) from "
        + "the one in in.json: $[0].author"
    ]),
  // Duplicate members, of rows, of values in them, and of IDs.
  WrongInput(
    text: "[{\"id\":1,\"a\":1,\"b\":{\"c\":1,\"c\":1},\"a\":1,\"id\":1}]",
    problems: [
      "$[0].b.c: error: duplicateKey: the object already has a member of this name",
      "$[0].a: error: duplicateKey: the object already has a member of this name",
      "$[0].id: error: duplicateKey: the object already has a member of this name",
    ]),
  WrongInput(
    text: "[{\"id\":1,\"author\":null,\"\\u0061uthor\":null}]",
    problems: ["$[0].author: error: duplicateKey: the object already has a member of this name"]),
  // Dangling references are warnings: what they are in is written.
  WrongInput(
    text: "[{\"id\":\"p1\",\"author\":\"a9\",\"comments\":[{\"id\":\"c1\",\"author\":7},\"c2\"]}]",
    problems: [
      "$[0].author: warning: danglingReference: \"author\" of posts \"p1\" refers to authors "
        + "\"a9\", "
        + "which does not exist",
      "$[0].comments[1]: warning: danglingReference: \"comments\" of posts \"p1\" refers to "
        + "comments "
        + "\"c2\", which does not exist",
      "$[0].comments[0].author: warning: danglingReference: \"author\" of comments \"c1\" "
        + "refers to authors 7, which does not exist",
    ]),
  WrongInput(
    text: "[{\"id\":1,\"author\":{\"id\":7}},{\"id\":2},{\"id\":2,\"author\":\"7\"}]",
    problems: [
      "$[2].author: warning: danglingReference: \"author\" of posts 2 refers to authors \"7\", "
        + "which does not exist; authors 7 does"
    ]),
  // Text that is not JSON.
  WrongInput(
    text: "",
    problems: [
      "$: error: malformedJSON: the text is empty; expected a value at line 1, column 1 (byte 0)"
    ]),
  WrongInput(
    format: .auto, text: " ",
    problems: [
      "$: error: malformedJSON: the text is empty; expected a value at line 1, column 2 (byte 1)"
    ]),
  WrongInput(
    text: "[{\"title\":1},\n {\"id\":1,\"a\":[1,]}]",
    problems: [
      "$[0]: error: missingID: this record of posts has no \"id\"",
      "$[1].a[1]: error: malformedJSON: expected a value, found ']' at line 2, column 17 (byte 30)",
    ]),
  WrongInput(
    text: "[{\"id\":1,\"author\":{\"id\":2,\"name\":\"x",
    problems: [
      "$[0].author.name: error: malformedJSON: the text ends inside a string at line 1, column 36 "
        + "(byte 35)"
    ]),
  WrongInput(
    text: "[{\"id\":1}]]",
    problems: [
      "$: error: malformedJSON: expected the end of the text, found ']' at line 1, column 11 "
        + "(byte 10)"
    ]),
  WrongInput(
    format: .ndjson,
    text: "{\"id\":1}\n{\"id\":2,\n\n{\"id\":3}\n{\"a\":4}\n5\n{\"id\":1,\"a\":1} {}\n",
    problems: [
      ":2: $[1]: error: malformedJSON: the text ends inside an object at line 2, column 9 (byte "
        + "17)",
      ":5: $[3]: error: missingID: this record of posts has no \"id\"",
      ":6: $[4]: error: typeMismatch: expected an object as a record of posts, found a number",
      ":7: $[5]: error: malformedJSON: expected the end of the text, found '{' at line 7, "
        + "column 16 "
        + "(byte 53)",
    ]),
  // Tables.
  WrongInput(
    format: .tables, text: "[]",
    problems: ["$: error: typeMismatch: expected an object of tables, found an array"]),
  WrongInput(
    format: .tables,
    text: "{\"posts\":7,\"authors\":{\"a1\":{\"id\":\"a2\"},\"a3\":[],\"a4\":{\"id\":null}},"
      + "\"posts\":[]}",
    problems: [
      "$.posts: error: typeMismatch: expected an array or an object of rows as table \"posts\", "
        + "found a number",
      "$.authors.a1: error: typeMismatch: the row under \"a1\" is authors \"a2\"",
      "$.authors.a3: error: typeMismatch: expected an object as a row of authors, found an "
        + "array",
      "$.authors.a4: error: missingID: the \"id\" of this record of authors is null",
      "$.posts: error: duplicateKey: the object already has a member of this name",
    ]),
  WrongInput(
    format: .tables,
    text: "{\"authors\":{\"a0\":{\"id\":\"a1\"},\"a1\":{\"id\":\"a1\"},"
      + "\"a1\":{\"id\":\"a1\"}},\"psots\":[{\"id\":1}]}",
    problems: [
      "$.authors.a0: error: typeMismatch: the row under \"a0\" is authors \"a1\"",
      "$.authors.a1: error: duplicateKey: the object already has a member of this name",
      "$.psots: warning: unknownEntity: \"psots\" is no entity of the schema; its rows are "
        + "imported without relationships; did you mean \"posts\"?",
    ]),
  WrongInput(
    format: .tables,
    text: "{\"entities\":{\"posts\":[{\"id\":1}]},\"results\":{},\"schema\":{\"entitys\":{}},"
      + "\"result\":{\"posts\":[1,2,null],\"pots\":[1],\"authors\":{}}}",
    problems: [
      "$.results: error: typeMismatch: unknown member \"results\" beside \"entities\"; did you "
        + "mean "
        + "\"result\"?",
      "$.schema: error: typeMismatch: expected a schema, which is an object with the member "
        + "\"entities\", found an object",
      "$.result.posts[1]: warning: danglingReference: the result refers to posts 2, which does "
        + "not exist",
      "$.result.posts[2]: error: typeMismatch: expected an ID, found null",
      "$.result.pots[0]: error: unknownEntity: \"pots\" is no entity of this database; did you "
        + "mean \"posts\"?",
      "$.result.authors: error: typeMismatch: expected an array of IDs, found an object",
    ]),
  WrongInput(
    format: .tables,
    text: "{\"entities\":[],\"result\":[],\"schema\":{\"entities\":{\"posts\":{\"id\":\"key\","
      + "\"relationships\":{\"author\":{\"to\":\"posts\"},\"x\":{\"to\":\"y\"}}}}}}",
    problems: [
      "$.schema.entities.posts.relationships.x.to: error: invalidSchema: \"y\" is no entity of "
        + "this schema",
      "$.schema.entities.posts.id: error: schemaConflict: the ID of \"posts\" is \"key\" here and "
        + "\"id\" in the schema so far",
      "$.schema.entities.posts.relationships.author: error: schemaConflict: \"author\" of "
        + "\"posts\" is to one of \"posts\" here and to one of \"authors\" in the schema so far",
      "$.entities: error: typeMismatch: expected an object of tables, found an array",
      "$.result: error: typeMismatch: expected an object of arrays of IDs, found an array",
    ]),
  // Django's rows.
  WrongInput(
    format: .django, text: "{}",
    problems: ["$: error: typeMismatch: expected an array of records, found an object"]),
  WrongInput(
    format: .django,
    text: "[7,{\"pk\":1,\"fields\":{}},{\"model\":\"a.posts\",\"pk\":1},"
      + "{\"model\":1,\"pk\":1,\"fields\":[],\"x\":0},"
      + "{\"model\":\"a.posts\",\"fields\":{}},{\"model\":\"a.posts\",\"pk\":null,\"fields\":{}},"
      + "{\"model\":\"a.posts\",\"pk\":2,\"pk\":2,\"fields\":{\"id\":2,\"author\":9}},"
      + "{\"model\":\"a.posts\",\"pk\":3,\"fields\":{\"author\":[]}},"
      + "{\"model\":\"a.x\",\"pk\":1,\"fields\":{}}]",
    problems: [
      "$[0]: error: typeMismatch: expected a record, which is an object with model, pk and fields, "
        + "found a "
        + "number",
      "$[1]: error: typeMismatch: this record has no \"model\"",
      "$[2]: error: typeMismatch: this record has no \"fields\"",
      "$[3].model: error: typeMismatch: expected a string such as \"blog.post\" as model, found "
        + "a number",
      "$[3].fields: error: typeMismatch: expected an object as fields, found an array",
      "$[3].x: error: typeMismatch: \"x\" is no member of a record, which has model, pk and fields",
      "$[4]: error: missingID: this record of posts has no pk and no field \"id\", as after dumpdata "
        + "--natural-primary; name the field that is the ID in a schema",
      "$[5]: error: missingID: this record of posts has no pk and no field \"id\", as after dumpdata "
        + "--natural-primary; name the field that is the ID in a schema",
      "$[6].fields.author: warning: danglingReference: \"author\" of posts 2 refers to authors 9, "
        + "which does not exist",
      "$[6].pk: error: duplicateKey: the object already has a member of this name",
      "$[6].fields.id: error: typeMismatch: the record has a pk, which is stored as \"id\", so "
        + "that no field can have this name; name the ID otherwise in a schema",
      "$[7].fields.author: error: typeMismatch: \"author\" of posts refers to a row of authors "
        + "by a natural key: expected an array with the values of \"id\", found another array",
      "$[8]: warning: unknownEntity: \"x\" is no entity of the schema; its rows are imported "
        + "without relationships",
    ]),
]
