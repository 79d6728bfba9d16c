extension IdentifiedArray {
  /// Creates an empty array.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init(id: KeyPath<Element, ID>) {
    self.init(id: id, table: Table(), usesIdentifiable: false)
  }

  /// Creates an array of elements with unique IDs.
  /// - Precondition: The IDs are unique. Use `init(_:id:duplicates:)` for elements from outside the
  ///   program.
  /// - Complexity: O(*n*) expected; O(1) for an identified array with the same key path.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(uniqueElements: elements, at: IDPath(id, isIdentifiable: false))
  }

  @inlinable
  init(uniqueElements elements: some Sequence<Element>, at path: IDPath) {
    if let same = elements as? Self, same.id == path.path {
      self = same
      return
    }
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      let key = IdentifiedKey(Self.id(of: element, path))
      let duplicate = builder.appendIfNew(Entry(key: key, value: element))
      precondition(duplicate == nil, "Duplicate ID \(key.id)")
    }
    self.init(at: path, table: builder.finish())
  }

  @inlinable
  init(at path: IDPath, table: Table) {
    self.init(id: path.path, table: table, usesIdentifiable: path.isIdentifiable)
  }

  /// Creates an array of elements whose IDs are known to be unique, without checking them.
  ///
  /// If an ID repeats, all elements with this ID are stored, and a lookup finds any one of them.
  /// - Precondition: The IDs are unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>
  ) {
    self.init(uncheckedUniqueElements: elements, at: IDPath(id, isIdentifiable: false))
  }

  @inlinable
  init(uncheckedUniqueElements elements: some Sequence<Element>, at path: IDPath) {
    self.init(
      at: path,
      table: Table(
        unchecked: elements.lazy.map {
          Entry(key: IdentifiedKey(Self.id(of: $0, path)), value: $0)
        }))
  }

  /// Creates an array of elements. Of several with the same ID, only the first is stored.
  ///
  /// `init(_:id:duplicates:)` can treat such elements in other ways.
  /// - Parameters:
  ///   - elements: The elements.
  ///   - id: The key path from an element to its ID.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    self.init(elements, id: id, uniquingIDsWith: { first, _ in first })
  }

  /// Creates an array of elements. A closure combines elements with the same ID, and the result is
  /// at the position of the first of them.
  ///
  /// The combined element should have the same ID. If it has another ID, it is stored under the
  /// original ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>, id: KeyPath<Element, ID>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    try self.init(
      elements, at: IDPath(id, isIdentifiable: false), uniquingIDsWith: combine)
  }

  @inlinable
  init(
    _ elements: some Sequence<Element>, at path: IDPath,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      let entry = Entry(key: IdentifiedKey(Self.id(of: element, path)), value: element)
      guard let place = builder.appendIfNew(entry) else { continue }
      let stored = builder.table.leaves.unique(place.leaf).mutableElements + place.offset
      stored.pointee.value = try combine(stored.pointee.value, element)
    }
    self.init(at: path, table: builder.finish())
  }

  /// Creates a copy of an array.
  /// - Complexity: O(1).
  @inlinable
  public init(_ elements: Self) { self = elements }

  /// Creates an array of the elements of a slice.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the slice.
  @inlinable
  public init(_ elements: SubSequence) {
    var builder = OrderedTableBuilder<Layout>()
    builder.append(elements.array.table, elements.stored)
    self.init(at: elements.array.idPath, table: builder.finish())
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() { self.init(at: Self.identifiablePath, table: Table()) }

  @inlinable
  static var identifiablePath: IDPath { IDPath(\.id, isIdentifiable: true) }

  /// Creates an array of elements with unique IDs.
  /// - Precondition: The IDs are unique. Use `init(_:duplicates:)` for elements from outside the
  ///   program.
  /// - Complexity: O(*n*) expected; O(1) for an identified array with the key path `\.id`.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements, at: Self.identifiablePath)
  }

  /// Creates an array of elements whose IDs are known to be unique, without checking them.
  ///
  /// If an ID repeats, all elements with this ID are stored, and a lookup finds any one of them.
  /// - Precondition: The IDs are unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init(uncheckedUniqueElements: elements, at: Self.identifiablePath)
  }

  /// Creates an array of elements. A closure combines elements with the same ID, and the result is
  /// at the position of the first of them.
  ///
  /// The combined element should have the same ID. If it has another ID, it is stored under the
  /// original ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    try self.init(elements, at: Self.identifiablePath, uniquingIDsWith: combine)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array of the elements of a literal.
  /// - Precondition: The IDs are unique.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}
