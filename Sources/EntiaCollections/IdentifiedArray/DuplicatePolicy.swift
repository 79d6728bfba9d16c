/// How a new element is stored whose ID is in an identified array already.
public enum DuplicatePolicy<Element> {
  /// It is an error, and the array stays as it was.
  case error
  /// The element that is there stays; the new one is left out.
  case keep
  /// The new element replaces the one that is there, where that stands.
  case replace
  /// The closure makes one element of the one that is there and the new one; it stands where the one
  /// that is there stood, and must have the same ID.
  case merge((_ existing: Element, _ new: Element) throws -> Element)
}
