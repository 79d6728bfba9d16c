extension IdentifiedArray {
  /// Creates an empty array.
  /// - Complexity: O(1); nothing is allocated.
  @inlinable
  public init(id: KeyPath<Element, ID>) { self.init(id: id, table: Table()) }

  /// Creates an array of elements whose IDs differ.
  /// - Precondition: the IDs differ; use `init(_:id:duplicates:)` for elements from outside.
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

  /// Creates an array of elements whose IDs are known to differ, without looking.
  ///
  /// Where they do not, both elements are stored, and which of them is found is not specified.
  /// - Precondition: the IDs differ.
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

  /// Creates an array of elements, the first of those that share an ID.
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

  /// Creates an array of elements; of those with one ID, a closure makes one, at the first's place.
  ///
  /// The combined element should have their ID. One that has another is stored under theirs.
  /// - Throws: What the closure throws.
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
      let stored = Table.Leaves.elements(builder.table.leaves.unique(place.leaf)) + place.offset
      stored.pointee.value = try combine(stored.pointee.value, element)
    }
    self.init(id: id, table: builder.finish())
  }

  /// Creates a copy of an array.
  /// - Complexity: O(1).
  @inlinable
  public init(_ elements: Self) { self = elements }

  /// Creates an array of a part of one.
  /// - Complexity: O(*k* + log *n*), where *k* is the length of the part.
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

  /// Creates an array of elements whose IDs differ.
  /// - Precondition: the IDs differ; use `init(_:duplicates:)` for elements from outside.
  /// - Complexity: O(*n*) expected; O(1) for an identified array with the key path `\.id`.
  @inlinable
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init(uniqueElements: elements, id: \.id)
  }

  /// Creates an array of elements whose IDs are known to differ, without looking.
  ///
  /// Where they do not, both elements are stored, and which of them is found is not specified.
  /// - Precondition: the IDs differ.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init(uncheckedUniqueElements: elements, id: \.id)
  }

  /// Creates an array of elements; of those with one ID, a closure makes one, at the first's place.
  ///
  /// The combined element should have their ID. One that has another is stored under theirs.
  /// - Throws: What the closure throws.
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
  /// - Precondition: their IDs differ.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}
