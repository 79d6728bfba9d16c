extension IdentifiedArray {
  /// The key path to an element's ID, and whether a faster access replaces it.
  @frozen
  @usableFromInline
  struct IDPath {
    @usableFromInline let path: KeyPath<Element, ID>
    /// Whether the path is the `id` requirement of `Identifiable`. If so, the element type conforms
    /// to `Identifiable`, and its ID type is `ID`.
    @usableFromInline let isIdentifiable: Bool

    @inlinable
    @inline(__always)
    init(_ path: KeyPath<Element, ID>, isIdentifiable: Bool) {
      self.path = path
      self.isIdentifiable = isIdentifiable
    }
  }

  // The key path of a protocol requirement is computed. Reading an ID through such a key path takes
  // about 45 ns and copies the element, so `isIdentifiable` selects a direct access. This flag is
  // stored as a bit of the table, so that an empty array stays small.
  @inlinable
  @inline(__always)
  var idPath: IDPath { IDPath(id, isIdentifiable: table.ownerFlag) }

  /// Returns the ID of an element.
  @inlinable
  @inline(__always)
  func id(of element: Element) -> ID { Self.id(of: element, idPath) }

  /// Returns the ID of an element at a path.
  @inlinable
  @inline(__always)
  static func id(of element: Element, _ path: IDPath) -> ID {
    withUnsafePointer(to: element) { id(at: $0, path) }
  }

  /// Returns the ID of the element at an address, without copying the element.
  @inlinable
  @inline(__always)
  static func id(at element: UnsafePointer<Element>, _ path: IDPath) -> ID {
    // In specialized code, the cast is evaluated at compile time.
    if path.isIdentifiable, let type = Element.self as? any Identifiable.Type,
      let id = identifiableID(at: element, type)
    {
      return id
    }
    // The documentation of `offset(of:)` allows this access. There is an offset only if the path
    // leads to a stored property. The property's value is at that offset in the element.
    if let offset = MemoryLayout<Element>.offset(of: path.path) {
      return (UnsafeRawPointer(element) + offset).assumingMemoryBound(to: ID.self).pointee
    }
    return element.pointee[keyPath: path.path]
  }

  /// Returns the ID of an element whose type is known to be identifiable.
  // This function is not always inlined, because it must first be specialized for the element type.
  // Otherwise, the inlined body would look up its types at run time.
  @inlinable
  static func identifiableID<Same: Identifiable>(
    at element: UnsafePointer<Element>, _ type: Same.Type
  ) -> ID? {
    guard Same.ID.self == ID.self else { return nil }
    // `Same` is `Element`, and the ID types are the same.
    let same = UnsafeRawPointer(element).assumingMemoryBound(to: Same.self)
    return unsafeBitCast(same.pointee.id, to: ID.self)
  }
}

/// An element of an identified array and its ID.
@frozen
@usableFromInline
struct IdentifiedEntry<ID: Hashable, Element> {
  @usableFromInline let key: IdentifiedKey<ID>
  @usableFromInline var value: Element

  @inlinable
  init(key: IdentifiedKey<ID>, value: Element) {
    self.key = key
    self.value = value
  }
}

extension IdentifiedEntry: Equatable where Element: Equatable {
  /// Compares only the elements, because arrays whose IDs are at different key paths may be equal.
  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool { haveSameValue(lhs.value, rhs.value) }
}

/// The layout of an identified array's table.
@usableFromInline
enum IdentifiedEntries<ID: Hashable, Element>: KeyedElements {
  @inlinable
  @inline(__always)
  static func key(of element: IdentifiedEntry<ID, Element>) -> IdentifiedKey<ID> { element.key }
}
