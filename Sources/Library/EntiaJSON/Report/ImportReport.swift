/// The results of an import: the counts of records and rows, and the problems.
public struct ImportReport: Hashable, Sendable {
  /// The rows of one entity.
  public struct EntityCount: Hashable, Sendable {
    /// The name of the entity.
    public let name: String
    /// The number of rows in the database after the import.
    public let count: Int

    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// One input.
  public struct File: Hashable, Sendable {
    /// The name of the input.
    public let name: String
    /// The format of the input; nil if none was recognized.
    public let format: ImportFormat?
    /// Whether the input has no records.
    public let isEmpty: Bool
  }

  /// The number of occurrences of records, including nested ones: `inserted + updated + unchanged +
  /// rejected`.
  public package(set) var read = 0
  /// The number of occurrences that inserted a row.
  public package(set) var inserted = 0
  /// The number of occurrences that changed a row, of the database or of this import.
  public package(set) var updated = 0
  /// The number of occurrences without new content, and of conflicting ones that were skipped as
  /// requested.
  public package(set) var unchanged = 0
  /// The number of refused occurrences: all of them if there is an error, because an import is all
  /// or nothing.
  public package(set) var rejected = 0
  /// The number of rows in the database after the import, by entity, sorted by name.
  public package(set) var entities: [EntityCount] = []
  /// The inputs, in their given order.
  public package(set) var files: [File] = []
  /// The number of occurrences of parts that belong to no row, by name, such as `links` and `meta`
  /// of a JSON:API document.
  public package(set) var ignored: [EntityCount] = []
  /// The problems, sorted by input and position.
  public package(set) var problems: [ImportProblem] = []

  /// Creates a report without any records read.
  ///
  /// - Parameter problems: The reasons why nothing was read.
  public init(problems: [ImportProblem] = []) { self.problems = problems }

  /// Whether a problem stopped the import.
  public var isRefused: Bool { problems.contains { $0.severity == .error } }
}
