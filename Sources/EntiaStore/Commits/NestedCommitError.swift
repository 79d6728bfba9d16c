/// The reason why a commit with nested commits to the same store was refused.
///
/// A commit's closure is called once more if both it and its nested commits have made edits. The
/// second call must make the same nested commits with the same edits, so that no edit is lost or
/// made twice; otherwise the whole commit is refused.
public struct NestedCommitError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The difference between the second call and the first.
  public enum Reason: String, Hashable, Sendable {
    /// A nested commit made another edit, or threw in only one of the calls.
    case otherEdit = "an inner commit made another edit"
    /// A nested commit of the first call was not made.
    case leftOut = "an inner commit was not made again"
    /// The second call made a nested commit that the first call did not make.
    case additional = "there was an additional inner commit"
    /// The state is not `Equatable`, so edits cannot be compared.
    case incomparable = "edits cannot be compared, since the state is not Equatable"
    /// The nested commit was made by `StateType.reduce`, or during the comparison of states.
    case insideReduce = "an inner commit was made inside reduce, or while states were compared"
  }

  /// The difference between the second call and the first.
  public let reason: Reason

  /// Creates an error.
  public init(reason: Reason) { self.reason = reason }

  /// A description of the reason, with advice.
  public var description: String {
    let cause = "the commit has other commits to its store inside that cannot be replayed"
    let advice = "edit the state that the closure is given, or commit before or after it"
    return "\(cause): \(reason.rawValue); \(advice)"
  }
}
