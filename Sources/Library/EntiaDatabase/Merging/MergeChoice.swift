/// The side of a conflict that is taken.
public enum MergeChoice: Hashable, Sendable {
  /// The version that is merged into.
  case mine
  /// The version that is merged.
  case theirs
  /// Neither: the merge throws an error with all such conflicts.
  case refuse
}
