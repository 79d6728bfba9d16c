/// Why a pointer could not write.
public enum RefError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no element at the index any more.
  case noElement(index: Int, count: Int)
  /// There is no entity, element or optional value any more in which to write.
  case lost(what: String)
  /// The write would have changed the ID by which the pointer finds its entity or element.
  case changedID(from: String, to: String)
  /// `nil` was written to a field that cannot be `nil`.
  case nilField(type: String)

  /// A sentence that says what has no place, and why.
  public var description: String {
    switch self {
    case .noElement(let index, let count):
      "there is no element \(index) any more: the collection has \(count)"
    case .lost(let what): "there is no \(what) any more to write to"
    case .changedID(let old, let new):
      "the pointer finds its value by the ID \(old); the ID cannot become \(new) through it"
    case .nilField(let type): "the field is a \(type) and cannot become nil"
    }
  }
}
