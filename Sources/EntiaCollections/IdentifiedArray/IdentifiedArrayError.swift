/// Why elements could not be stored in an identified array; the array is as it was.
public enum IdentifiedArrayError: Error, Equatable {
  /// A new element has the ID of another one.
  ///
  /// `offset` counts the new elements; `index` is where the other one is, or would be, in the array.
  case duplicateID(id: String, offset: Int, index: Int)
  /// Merging two elements, or updating one, gave an element with another ID.
  case changedID(from: String, to: String)
  /// Changes were applied to an array that is not the one they were found for.
  case conflict(id: String, reason: String)
}

extension IdentifiedArrayError: CustomStringConvertible {
  /// What is wrong, and with which element.
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
