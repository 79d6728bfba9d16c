extension Schema {
  /// Reads a schema from an input: from a schema's own text, or from a database that has one.
  ///
  /// - Parameter source: The input. Of a database no more is read than its schema.
  /// - Returns: The schema, or everything that is wrong with it, each with its place.
  /// - Complexity: O(length of the schema's text), and sorting.
  public static func read(_ source: ImportSource) -> Result<Schema, ImportProblems> {
    let layout = source.withWindow { TablesLayout($0) }
    if layout.isDatabase, let text = layout.schema {
      return parse(text.bytes, file: source.name, at: .root.name("schema"))
    }
    do {
      return parse(try source.contents(), file: source.name)
    } catch {
      return .failure(
        ImportProblems([
          ImportProblem(
            file: source.name, path: JSONPath.root.description, kind: .unreadable,
            message: "the input cannot be read to its end: \(error)")
        ]))
    }
  }
}
