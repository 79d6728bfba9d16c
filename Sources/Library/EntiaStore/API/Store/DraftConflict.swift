/// The error of saving a draft of a part that the store has changed differently.
public struct DraftConflict: Error, Equatable, Sendable, CustomStringConvertible {
  /// The part before both changes, as text.
  public let base: String
  /// The current part of the store, as text.
  public let store: String
  /// The part of the draft, as text.
  public let draft: String
  /// The type of the part.
  public let part: String

  /// A description of both changes.
  public var description: String {
    "the draft of \(part) cannot be saved: \(base) became \(store) in the store and \(draft) in "
      + "the draft"
  }
}
