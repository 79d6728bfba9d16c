/// Why rows cannot be denormalized.
public enum DenormalizeProblem: Error, Hashable, Sendable {
  /// There is no such entity; perhaps another one was meant.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no rows of these IDs.
  case unknownIDs([String], entity: String)
}

extension DenormalizeProblem: CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let suggestion):
      "\(name.quoted) is no entity of the database"
        + (suggestion.map { "; did you mean \($0.quoted)?" } ?? "")
    case .unknownIDs(let ids, let entity):
      "\(entity) has no row " + ids.map(\.quoted).joined(separator: ", ")
    }
  }
}
