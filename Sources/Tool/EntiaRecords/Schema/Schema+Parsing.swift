import EntiaCoding
public import EntiaJSON

extension Schema {
  /// Parses a schema from JSON.
  ///
  /// ```json
  /// {"entities": {"posts": {"id": "id", "relationships": {"author": {"to": "authors"},
  ///                                                       "tags": {"to": "tags", "many": true}}},
  ///               "authors": {}, "tags": {"id": "name"}}}
  /// ```
  ///
  /// Further forms:
  ///
  /// - `"id": ["order", "number"]` composes an ID of several members.
  /// - `"idFromParent": true` derives the ID of a record without an ID from the row that contains
  ///   it.
  /// - `"to": {"photo": "photos", "video": "videos"}, "by": "type"` refers to rows of several
  ///   entities, which the member `type` of each distinguishes. `by` may be omitted then.
  /// - `"aliases": {"writer": "author"}` maps the aliases in GraphQL responses to members.
  ///
  /// - Returns: The schema, or all problems with their positions: unknown members, relationships to
  ///   unknown entities, values of the wrong type.
  /// - Complexity: O(length of the text), plus sorting.
  public static func parse(_ bytes: [UInt8], file: String) -> Result<Schema, ImportProblems> {
    parse(bytes, file: file, at: .root)
  }

  /// Parses a schema at a path of a larger text.
  static func parse(
    _ bytes: [UInt8], file: String, at path: JSONPath
  ) -> Result<Schema, ImportProblems> {
    do {
      let value = try JSONValue.parse(bytes)
      var parser = SchemaParser(file: file)
      let schema = parser.schema(value, at: path)
      return parser.problems.isEmpty
        ? .success(schema) : .failure(ImportProblems(parser.problems))
    } catch {
      let found = bytes.withUnsafeBufferPointer {
        JSONPathFinder.paths(at: [error.offset], in: $0)[0]
      }
      let place = JSONPath(path.steps + found.steps)
      return .failure(ImportProblems([ImportProblem(error, file: file, path: place)]))
    }
  }
}

extension JSONValue {
  /// The name of the value's kind in messages, such as "an object".
  var kindDescription: String {
    switch self {
    case .null: JSONToken.null.kindDescription
    case .bool: JSONToken.true.kindDescription
    case .number: JSONToken.number.kindDescription
    case .string: JSONToken.string.kindDescription
    case .array: JSONToken.beginArray.kindDescription
    case .object: JSONToken.beginObject.kindDescription
    }
  }
}
