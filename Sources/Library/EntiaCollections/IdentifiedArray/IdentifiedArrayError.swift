/// The reason why elements could not be stored in an identified array. The array is not changed.
public enum IdentifiedArrayError: Error, Equatable {
  /// A new element has the ID of another one.
  ///
  /// `offset` is the position among the new elements. `index` is the position of the other element
  /// in the array, or the position it would have.
  case duplicateID(id: String, offset: Int, index: Int)
  /// Merging or updating an element changed its ID.
  case changedID(from: String, to: String)
  /// The changes were applied to an array other than the one from which they were computed.
  case conflict(id: String, reason: String)
}

extension IdentifiedArrayError: CustomStringConvertible {
  /// A description of the error with the ID of the element.
  public var description: String {
    switch self {
    case .duplicateID(let id, let offset, let index):
      "duplicate ID \(id): the new element at offset \(offset) has the ID of the one at \(index)"
    case .changedID(let from, let to):
      "changed ID: the element that replaces the one with the ID \(from) has the ID \(to)"
    case .conflict(let id, let reason):
      "conflict at ID \(id): \(reason)"
    }
  }
}
