extension Schema {
  /// Reads a schema from JSON.
  ///
  /// ```json
  /// {"entities": {"posts": {"id": "id", "relationships": {"author": {"to": "authors"},
  ///                                                       "tags": {"to": "tags", "many": true}}},
  ///               "authors": {}, "tags": {"id": "name"}}}
  /// ```
  ///
  /// Beyond that, `"id": ["order", "number"]` makes an ID of several members; `"idFromParent": true`
  /// names a record without an ID by the row that it is nested in; `"to": {"photo": "photos",
  /// "video": "videos"}, "by": "type"` names rows of several entities, which the member `type` of
  /// each tells apart (`by` may be left out then); and `"aliases": {"writer": "author"}` says what
  /// a GraphQL response calls a member.
  ///
  /// - Returns: the schema, or everything that is wrong with it, each with its place: members that
  ///   mean nothing, relationships to no entity, values of the wrong type.
  /// - Complexity: O(length of the text), and sorting.
  public static func parse(_ bytes: [UInt8], file: String) -> Result<Schema, ImportProblems> {
    parse(bytes, file: file, at: .root)
  }

  /// Reads a schema that stands at a path of a larger text.
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
  /// What messages call the value, such as "an object".
  var noun: String {
    switch self {
    case .null: JSONToken.null.noun
    case .bool: JSONToken.true.noun
    case .number: JSONToken.number.noun
    case .string: JSONToken.string.noun
    case .array: JSONToken.beginArray.noun
    case .object: JSONToken.beginObject.noun
    }
  }
}
