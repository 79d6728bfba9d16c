/// What an import read, what it made of it, and what is wrong.
public struct ImportReport: Hashable, Sendable {
  /// The rows of one entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let name: String
    /// How many rows the database holds after the import.
    public let count: Int
  }

  /// One input.
  public struct File: Hashable, Sendable {
    /// The name of the input.
    public let name: String
    /// The format that it was read in; nil if none was recognized.
    public let format: ImportFormat?
  }

  /// The occurrences of records, nested ones too: `inserted + updated + unchanged + rejected`.
  public internal(set) var read = 0
  /// The occurrences that made a row.
  public internal(set) var inserted = 0
  /// The occurrences that changed a row, of the database or of this import.
  public internal(set) var updated = 0
  /// The occurrences that said nothing new, and the conflicting ones that were told to be kept out.
  public internal(set) var unchanged = 0
  /// The occurrences that were refused: all of them if anything is wrong, for an import is all or
  /// nothing.
  public internal(set) var rejected = 0
  /// The rows of the database after the import, by entity, sorted by name.
  public internal(set) var entities: [EntityCount] = []
  /// The inputs, in the order they were given.
  public internal(set) var files: [File] = []
  /// How often something was met that is no part of any row, such as `links` and `meta` of a
  /// JSON:API document, by name.
  public internal(set) var ignored: [EntityCount] = []
  /// What is wrong, by input and place.
  public internal(set) var problems: [ImportProblem] = []

  /// Makes a report of nothing read.
  ///
  /// - Parameter problems: why nothing was.
  public init(problems: [ImportProblem] = []) { self.problems = problems }

  /// Says whether a problem stopped the import.
  public var isRefused: Bool { problems.contains { $0.severity == .error } }
}
