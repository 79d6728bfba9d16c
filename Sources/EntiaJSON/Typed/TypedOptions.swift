/// How the names of properties are spelled in JSON.
public enum KeySpelling: Hashable, Sendable {
  /// As they are.
  case same
  /// In snake case: `authorID` is `author_id` in JSON, and `isDone` is `is_done`.
  case snakeCase
}

/// How dates are spelled in JSON.
public enum DateSpelling: Sendable {
  /// As `Date` itself does it: seconds since 2001, as a number.
  case plain
  /// Seconds since 1970, as a number.
  case secondsSince1970
  /// Milliseconds since 1970, as a number.
  case millisecondsSince1970
  /// As in `2026-11-21T15:30:00Z`.
  case iso8601
}

/// How to import entities of Swift types.
public struct TypedImportOptions: Sendable {
  /// The spelling of names.
  public var keys: KeySpelling
  /// The spelling of dates.
  public var dates: DateSpelling
  /// What to do with an entity that is given again with different content. An entity of a type has
  /// all its properties, so that ``ConflictPolicy/merge`` is refused: what a record lacks would
  /// overwrite what an earlier one gave.
  public var onConflict: ConflictPolicy
  /// Says whether warnings stop the import too.
  public var strict: Bool
  /// Where in each input its records are, such as `$.results`; nil for the whole input.
  public var at: JSONPath?
  /// The levels of arrays and objects that are read: every level takes stack.
  public var maximumDepth = 256

  /// Makes options.
  public init(
    keys: KeySpelling = .same, dates: DateSpelling = .plain, onConflict: ConflictPolicy = .error,
    strict: Bool = false
  ) {
    self.keys = keys
    self.dates = dates
    self.onConflict = onConflict
    self.strict = strict
  }
}
