public import EntiaCoding
public import EntiaJSON

/// A schema inferred from data, with the certainty of each guess.
///
/// All inputs are analyzed together: nested records, tables, lines and Django's rows. A member is
/// considered a reference if its objects have IDs, or if its values are IDs of an entity's records.
/// A match that may be a coincidence is reported, and left out of the schema.
public struct SchemaInference: Sendable {
  /// The certainty of a guess.
  package enum Certainty: Hashable, Sendable, Comparable {
    /// Other interpretations are possible; the schema contains the safer one.
    case unsure
    /// The data support the guess, and another interpretation is possible.
    case likely
    /// The data and the names support the guess, and nothing contradicts it.
    case sure
  }

  /// A statement about the schema, with the reason.
  package struct Guess: Hashable, Sendable {
    /// The subject: an entity, or a member such as `posts.author`.
    package let subject: String
    /// The statement about the subject.
    package let claim: String
    /// The certainty of the statement.
    package let certainty: Certainty
    /// The evidence.
    package let reason: String
  }

  /// The schema: all guesses that are likely or sure, and the schemas in the inputs.
  public let schema: Schema
  /// The guesses, sorted by entity and member.
  package let guesses: [Guess]
  /// The guesses about entities with records that have no ID. An import with the schema fails until
  /// IDs for these entities are added to the schema.
  package let withoutIDs: [Guess]
  /// The possible ID members of objects that are not entities. The path, such as `properties.code`,
  /// begins at a row of the entity.
  package let nestedIDs: [(entity: String, path: String)]
  /// The entity at the top level of each input that does not name the entities of its records.
  package let roots: [(file: String, entity: String)]
  /// The path of the records in each input, or nil for the whole input.
  package let path: JSONPath?

  /// Infers a schema from data.
  ///
  /// - Parameters:
  ///   - sources: The data, which is analyzed as a whole.
  ///   - root: The entity of the records in inputs that do not name the entities of their records,
  ///     such as CSV and nested JSON. If nil, the beginning of each input's name is used, such as
  ///     `posts` for `posts.json`.
  ///   - path: The path of the records in each input, or nil for the whole input.
  /// - Returns: The inferred schema, or the problems of the inputs: invalid JSON, or no records.
  /// - Complexity: O(bytes) expected, plus O(entities²) to find groups of records that are the same
  ///   entity. Memory is proportional to the number of distinct values.
  public static func inferring(
    from sources: [ImportSource], root: String? = nil, at path: JSONPath? = nil
  ) -> Result<SchemaInference, ImportProblems> {
    var reading = InferenceReading(at: path)
    for source in sources { reading.read(source, root: root) }
    reading.readDescribed()
    if !reading.problems.isEmpty { return .failure(ImportProblems(reading.problems)) }
    var guesser = SchemaGuesser(slots: reading.reader.slots, known: reading.schema)
    guesser.guess()
    return .success(
      SchemaInference(
        schema: guesser.schema, guesses: reading.descriptions + guesser.guesses,
        withoutIDs: guesser.withoutIDs, nestedIDs: guesser.nestedIDs,
        roots: reading.roots.map { ($0.file, guesser.entityName(of: $0.slot)) }, path: path))
  }

  /// Returns readable text with a final newline: one line for each guess, and one for each input
  /// with the options that import it.
  ///
  /// - Complexity: O(guesses).
  public func explanation() -> String {
    var lines = guesses.map { guess in
      "\(guess.subject): \(guess.claim) (\(guess.certainty): \(guess.reason))"
    }
    for (file, entity) in roots {
      let place = path.map { "--at '\($0)' " } ?? ""
      lines.append("\(file) holds \(entity): import it with \(place)--root \(entity)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the schema as JSON for ``Schema/parse(_:file:)``. Each relationship is on its own
  /// line, so that the text is easy to edit.
  ///
  /// - Complexity: O(size of the schema).
  package func bytes() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 4))
    schema.write(to: &writer)
    writer.endLine()
    return writer.bytes
  }
}
