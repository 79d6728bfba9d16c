/// The treatment of a row that occurs again with different values of the same member. Occurrences
/// whose common members are equal are combined under every policy.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// The import fails, and nothing is imported.
  case error
  /// The later content replaces the earlier one, and members that it lacks are removed.
  case replace
  /// The earlier content is kept; the later occurrence counts as unchanged.
  case keep
  /// The later value of each member is used.
  case merge
}
