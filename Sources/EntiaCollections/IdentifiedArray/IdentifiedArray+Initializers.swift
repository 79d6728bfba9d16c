extension IdentifiedArray {
  /// Creates an empty array.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init(id: KeyPath<Element, ID>) { self.init(id: id, table: Table()) }

  /// Creates an array of elements with unique IDs.
  /// - Precondition: The IDs are unique. Use `init(_:id:duplicates:)` for elements from outside the
  ///   program.
  /// - Complexity: O(*n*) expected; O(1) for an identified array with the same key path.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    if let same = elements as? Self, same.id == id {
      self = same
      return
    }
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      let duplicate = builder.appendIfNew(
        Entry(key: IdentifiedKey(element[keyPath: id]), value: element))
      precondition(duplicate == nil, "Duplicate ID \(element[keyPath: id])")
    }
    self.init(id: id, table: builder.finish())
  }

  /// Creates an array of elements whose IDs are known to be unique, without checking them.
  ///
  /// If an ID repeats, all its elements are stored, and it is not specified which of them a lookup
  /// finds.
  /// - Precondition: The IDs are unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>, id: KeyPath<Element, ID>
  ) {
    self.init(
      id: id,
      table: Table(
        unchecked: elements.lazy.map {
          Entry(key: IdentifiedKey($0[keyPath: id]), value: $0)
        }))
  }

  /// Creates an array of elements. Of several with the same ID, only the first is stored.
  ///
  /// `init(_:id:duplicates:)` takes another policy.
  /// - Parameters:
  ///   - elements: The elements.
  ///   - id: The key path from an element to its ID.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(_ elements: some Sequence<Element>, id: KeyPath<Element, ID>) {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      _ = builder.appendIfNew(Entry(key: IdentifiedKey(element[keyPath: id]), value: element))
    }
    self.init(id: id, table: builder.finish())
  }

  /// Creates an array of elements. A closure combines those with the same ID, at the position of
  /// the first.
  ///
  /// The combined element should have the same ID. If it has another one, it is stored under the
  /// original ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>, id: KeyPath<Element, ID>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    var builder = OrderedTableBuilder<Layout>()
    for element in elements {
      let entry = Entry(key: IdentifiedKey(element[keyPath: id]), value: element)
      guard let place = builder.appendIfNew(entry) else { continue }
      let stored = builder.table.leaves.unique(place.leaf).mutableElements + place.offset
      stored.pointee.value = try combine(stored.pointee.value, element)
    }
    self.init(id: id, table: builder.finish())
  }

  /// Creates a copy of an array.
  /// - Complexity: O(1).
  @inlinable
  public init(_ elements: Self) { self = elements }

  /// Creates an array of the elements of a slice.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the slice.
  @inlinable
  public init(_ elements: Slice<Self>) {
    var builder = OrderedTableBuilder<Layout>()
    builder.append(elements.base.table, elements.startIndex..<elements.endIndex)
    self.init(id: elements.base.id, table: builder.finish())
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init() { self.init(id: \.id) }

  /// Creates an array of elements with unique IDs.
  /// - Precondition: The IDs are unique. Use `init(_:duplicates:)` for elements from outside the
  ///   program.
  /// - Complexity: O(*n*) expected; O(1) for an identified array with the key path `\.id`.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements, id: \.id)
  }

  /// Creates an array of elements whose IDs are known to be unique, without checking them.
  ///
  /// If an ID repeats, all its elements are stored, and it is not specified which of them a lookup
  /// finds.
  /// - Precondition: The IDs are unique.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init(uncheckedUniqueElements: elements, id: \.id)
  }

  /// Creates an array of elements. A closure combines those with the same ID, at the position of
  /// the first.
  ///
  /// The combined element should have the same ID. If it has another one, it is stored under the
  /// original ID.
  /// - Throws: The error of the closure.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    try self.init(elements, id: \.id, uniquingIDsWith: combine)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array of the elements of a literal.
  /// - Precondition: The IDs are unique.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}
