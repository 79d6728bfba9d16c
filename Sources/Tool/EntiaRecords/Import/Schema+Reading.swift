import EntiaCoding
public import EntiaJSON

extension Schema {
  /// Reads a schema from an input: a schema file, or a database that contains a schema.
  ///
  /// - Parameter source: The input. Of a database, only the schema is read.
  /// - Returns: The schema, or all of its problems with their positions.
  /// - Complexity: O(length of the schema's text), plus sorting.
  public static func read(_ source: ImportSource) -> Result<Schema, ImportProblems> {
    let layout = source.withWindow { TablesLayout($0) }
    if layout.isDatabase, let text = layout.schema {
      return parse(text.bytes, file: source.name, at: .root.name("schema"))
    }
    do {
      return parse(try source.contents(), file: source.name)
    } catch {
      return .failure(ImportProblems([ImportProblem(unreadable: source.name, error)]))
    }
  }
}
