public import EntiaDatabase

/// What to do with a row that is given again with different content.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// It is a problem, and nothing is imported.
  case error
  /// The later content takes the place of the earlier one, members that it lacks included.
  case replace
  /// The earlier content stays; the later occurrence counts as unchanged.
  case keep
  /// Member by member, the later one wins.
  case merge
}

/// How far an import has come.
public struct ImportProgress: Hashable, Sendable {
  /// The bytes of all inputs that were read.
  public let bytes: Int
  /// The records that were read, each occurrence counted.
  public let records: Int
}

/// How to import.
public struct ImportOptions: Sendable {
  /// The shape of the inputs.
  public var format: ImportFormat
  /// The entities and relationships of the inputs.
  public var schema: Schema?
  /// The entity that the top level of an input holds.
  public var root: String?
  /// Where in each input its records are, such as `$.results`; nil for the whole input.
  public var at: JSONPath?
  /// What to do with a row that is given again with different content.
  public var onConflict: ConflictPolicy
  /// How records are merged with the rows that have their IDs already, in the database or earlier in
  /// the inputs, by the name of the entity; where there is no policy, ``onConflict`` decides.
  public var merging: [String: MergePolicy<Record>]
  /// Whether warnings of the inputs stop the import too, such as dangling references; a warning of
  /// the schema does not.
  public var strict: Bool
  /// Is told how far the reading has come, about every megabyte of an input that is read in pieces.
  public var onProgress: (@Sendable (ImportProgress) -> Void)?

  /// Makes options.
  public init(
    format: ImportFormat = .auto, schema: Schema? = nil, root: String? = nil,
    onConflict: ConflictPolicy = .error, merging: [String: MergePolicy<Record>] = [:],
    strict: Bool = false,
    onProgress: (@Sendable (ImportProgress) -> Void)? = nil
  ) {
    self.format = format
    self.schema = schema
    self.root = root
    self.onConflict = onConflict
    self.merging = merging
    self.strict = strict
    self.onProgress = onProgress
  }
}
