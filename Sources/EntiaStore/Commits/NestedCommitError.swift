/// Why a commit with other commits to the same store inside it was refused.
///
/// A commit's closure is called once more when it and the commits inside it have both made edits. The
/// second call must make the same inner commits with the same edits, so that nothing is lost and
/// nothing is made twice; otherwise the whole commit is refused.
public struct NestedCommitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// How the second call differs from the first.
  public enum Reason: String, Hashable, Sendable {
    /// An inner commit made another edit, or threw in one call only.
    case otherEdit = "an inner commit made another edit"
    /// An inner commit of the first call was not made.
    case leftOut = "an inner commit was not made again"
    /// There was an inner commit that the first call did not make.
    case additional = "there was an additional inner commit"
    /// The state is not `Equatable`, so edits cannot be compared.
    case incomparable = "edits cannot be compared, since the state is not Equatable"
    /// The commit was made by `StateType.reduce`, or while states were compared.
    case insideReduce = "an inner commit was made inside reduce, or while states were compared"
  }

  /// How the second call differs from the first.
  public let reason: Reason

  /// Creates an error.
  public init(reason: Reason) { self.reason = reason }

  /// A sentence that says why, and what to do.
  public var description: String {
    let cause = "the commit has other commits to its store inside that cannot be replayed"
    let advice = "edit the state that the closure is given, or commit before or after it"
    return "\(cause): \(reason.rawValue); \(advice)"
  }
}
