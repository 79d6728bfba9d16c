/// A schema guessed from data, and how sure each guess is.
///
/// Records that are nested in each other, tables, lines and Django's rows are looked at together. A
/// member is taken for a reference when its objects have IDs, or when its values are IDs of the
/// records of an entity; what might be chance is told, and left out of the schema.
public struct SchemaInference: Sendable {
  /// How far a guess can be trusted.
  public enum Certainty: String, Hashable, Sendable, Comparable {
    /// It could be otherwise; what the schema says is the safer way.
    case unsure
    /// The data say so, and another reading is possible.
    case likely
    /// The data and the names say so, and nothing speaks against it.
    case sure

    /// Orders by trust, the least first.
    public static func < (left: Self, right: Self) -> Bool { left.order < right.order }

    private var order: Int {
      switch self {
      case .unsure: 0
      case .likely: 1
      case .sure: 2
      }
    }
  }

  /// One thing that the schema says, or does not say, and why.
  public struct Guess: Hashable, Sendable {
    /// What it is about: an entity, or a member as `posts.author`.
    public let subject: String
    /// What is taken to be so.
    public let claim: String
    /// How far that can be trusted.
    public let certainty: Certainty
    /// What was seen.
    public let reason: String
  }

  /// The schema: every guess that is likely or sure, and what the files' own schemas say.
  public let schema: Schema
  /// The guesses, in the order of entities and members.
  public let guesses: [Guess]
  /// What the top level of each input holds, for the inputs that do not say so themselves.
  public let roots: [(file: String, entity: String)]

  /// Guesses a schema.
  ///
  /// - Parameters:
  ///   - sources: the data, looked at together.
  ///   - root: the entity that the top level of nested inputs and lines holds; nil to take the
  ///     beginning of each input's name, as `posts` of `posts.json`.
  /// - Returns: the guesses, or what is wrong with the inputs: what is no JSON, or holds no records.
  /// - Complexity: O(bytes) expected, and O(entities²) for places that may be one entity; memory
  ///   follows the number of different values.
  public static func inferring(
    from sources: [ImportSource], root: String? = nil
  ) -> Result<SchemaInference, ImportProblems> {
    var reading = InferenceReading()
    for source in sources { reading.read(source, root: root) }
    if !reading.problems.isEmpty { return .failure(ImportProblems(reading.problems)) }
    var guesser = SchemaGuesser(slots: reading.reader.slots, known: reading.schema)
    guesser.guess()
    return .success(
      SchemaInference(
        schema: guesser.schema, guesses: reading.descriptions + guesser.guesses,
        roots: reading.roots.map { ($0.file, guesser.entityName(of: $0.slot)) }))
  }

  /// Gives the guesses for people, a line each, and how to import, with a final line end.
  ///
  /// - Complexity: O(guesses).
  public func explanation() -> String {
    var lines = guesses.map { guess in
      "\(guess.subject): \(guess.claim) (\(guess.certainty.rawValue): \(guess.reason))"
    }
    for (file, entity) in roots {
      lines.append("\(file) holds \(entity): import it with --root \(entity)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Gives the schema as JSON that ``Schema/parse(_:file:)`` reads, a line a relationship, so that
  /// it is easy to edit.
  ///
  /// - Complexity: O(size of the schema).
  public func bytes() -> [UInt8] {
    var writer = JSONWriter(layout: .lines(depth: 4))
    schema.write(to: &writer)
    writer.endLine()
    return writer.bytes
  }
}
