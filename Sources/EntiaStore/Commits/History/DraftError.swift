/// The reason why a draft was not saved.
public enum DraftError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `save` was called inside a commit of the store that the draft belongs to.
  case insideCommit(part: String)

  /// A description of the part, the reason and the remedy.
  public var description: String {
    switch self {
    case .insideCommit(let part):
      "the draft of \(part) cannot be saved inside a commit of its store; save it after the commit"
    }
  }
}
