/// The treatment of a new element whose ID an identified array already contains.
public enum DuplicatePolicy<Element> {
  /// An error is thrown, and the array is not changed.
  case error
  /// The stored element is kept, and the new one is ignored.
  case keep
  /// The new element replaces the stored one in place.
  case replace
  /// The closure combines the stored element and the new one. The result replaces the stored
  /// element in place and must have the same ID.
  case merge((_ existing: Element, _ new: Element) throws -> Element)
}
