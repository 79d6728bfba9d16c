import EntiaRecords
import Testing

/// Guesses from data: the schema, or everything that is wrong.
func inferring(_ texts: [(name: String, text: String)], root: String? = nil) -> SchemaInference? {
  let sources = texts.map { ImportSource(name: $0.name, bytes: Array($0.text.utf8)) }
  switch SchemaInference.inferring(from: sources, root: root) {
  case .success(let inference): return inference
  case .failure(let failure):
    Issue.record("\(failure)")
    return nil
  }
}

/// Guesses from one file, and checks that it is imported with the guessed schema without a problem.
func guess(
  _ text: String, name: String = "items.json", location: SourceLocation = #_sourceLocation
) throws -> SchemaInference {
  let inference = try #require(inferring([(name, text)]), sourceLocation: location)
  let source = ImportSource(name: name, bytes: Array(text.utf8))
  let options = ImportOptions(schema: inference.schema, root: inference.roots.first?.entity)
  let (_, report) = Importer.importing([source], into: nil, options: options)
  #expect(report.problems == [], "\(inference.explanation())", sourceLocation: location)
  return inference
}

extension SchemaInference {
  /// The guessed entities with their ID members and relationships, on one line.
  var summary: String {
    schema.entities.map { entity in
      let relationships = entity.relationships.map { relationship in
        " \(relationship.name)->\(relationship.target)\(relationship.isMany ? "*" : "")"
      }
      return "\(entity.name)(\(entity.idName))" + relationships.joined()
    }.joined(separator: "; ")
  }

  /// Returns the line of the explanation about an entity or a member.
  func line(about subject: String) -> String? {
    explanation().split(separator: "\n").map(String.init).first { $0.hasPrefix(subject + ":") }
  }
}
