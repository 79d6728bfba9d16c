/// The reason why a pointer could not write.
public enum RefError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The element at the index no longer exists.
  case noElement(index: Int, count: Int)
  /// The entity, element or optional value to write to no longer exists.
  case lost(what: String)
  /// The write would have changed the ID that identifies the pointer's entity or element.
  case changedID(from: String, to: String)
  /// `nil` was written to a field that cannot be `nil`.
  case nilField(type: String)

  /// A description of the missing target or the refused value.
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
