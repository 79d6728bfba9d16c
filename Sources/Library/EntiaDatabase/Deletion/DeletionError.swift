/// The reason why a planned deletion was refused.
public enum DeletionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The removal would now remove entities or nullify keys that the plan does not list.
  case stale(
    storage: String, removals: [DeletionRemoval], nullifications: [DeletionNullification])

  /// A sentence that names the effects that the plan does not list.
  public var description: String {
    switch self {
    case .stale(let storage, let removals, let nullifications):
      let lines = removals.map { "removes \($0)" } + nullifications.map(\.description)
      let named = lines.prefix(5).joined(separator: "; ")
      let more = lines.count > 5 ? "; and \(lines.count - 5) more" : ""
      return "the deletion was planned for another version of \(storage) and does not list this: "
        + "\(named)\(more); create a new plan"
    }
  }

  /// Returns the nullified keys, one for each relationship, holder and target.
  static func keys(_ nullification: DeletionNullification) -> Set<[String]> {
    Set(
      nullification.targets.map {
        [nullification.relationship, "\(nullification.holder)", "\($0)"]
      })
  }
}
