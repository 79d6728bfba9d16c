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

/// How to import.
public struct ImportOptions: Sendable {
  /// The shape of the inputs.
  public var format: ImportFormat
  /// The entities and relationships of the inputs.
  public var schema: Schema?
  /// The entity that the top level of an input holds.
  public var root: String?
  /// What to do with a row that is given again with different content.
  public var onConflict: ConflictPolicy
  /// Says whether warnings stop the import too.
  public var strict: Bool

  /// Makes options.
  public init(
    format: ImportFormat = .auto, schema: Schema? = nil, root: String? = nil,
    onConflict: ConflictPolicy = .error, strict: Bool = false
  ) {
    self.format = format
    self.schema = schema
    self.root = root
    self.onConflict = onConflict
    self.strict = strict
  }
}
