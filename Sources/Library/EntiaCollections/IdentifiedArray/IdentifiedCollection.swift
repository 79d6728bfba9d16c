/// A collection whose elements have unique IDs.
public protocol IdentifiedCollection<ID, Element>: Collection {
  /// The type of the IDs.
  associatedtype ID: Hashable
  /// The type of the collection of all IDs.
  associatedtype IDs: Collection<ID>

  /// The IDs of the elements, in their order.
  var ids: IDs { get }

  /// The element with an ID, or `nil`.
  subscript(id id: ID) -> Element? { get }
}

/// An identified collection whose elements can be changed by ID.
public protocol MutableIdentifiedCollection<ID, Element>: IdentifiedCollection {
  /// The element with an ID, or `nil`. Assigning an element replaces or adds it; assigning `nil`
  /// removes it.
  subscript(id id: ID) -> Element? { get set }
}

extension IdentifiedArray: IdentifiedCollection, MutableIdentifiedCollection {}
