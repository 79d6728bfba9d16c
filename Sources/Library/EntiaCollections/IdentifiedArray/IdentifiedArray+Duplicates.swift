extension IdentifiedArray {
  /// Creates an array of elements whose IDs may repeat.
  ///
  /// ```swift
  /// let users = try IdentifiedArray(payload, id: \.id, duplicates: .error)
  /// let merged = try IdentifiedArray(pages, id: \.id, duplicates: .merge { $0.merged(with: $1) })
  /// ```
  /// - Throws: `IdentifiedArrayError.duplicateID` if the policy is `.error` and an ID repeats. With
  ///   `.merge`, the error of the closure, or `IdentifiedArrayError.changedID` if the closure
  ///   changes the ID.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>, id: KeyPath<Element, ID>,
    duplicates policy: DuplicatePolicy<Element>
  ) throws {
    try self.init(elements, at: IDPath(id, isIdentifiable: false), duplicates: policy)
  }

  @inlinable
  init(
    _ elements: some Sequence<Element>, at path: IDPath, duplicates policy: DuplicatePolicy<Element>
  ) throws {
    var builder = OrderedTableBuilder<Layout>()
    var offset = 0
    for element in elements {
      let entry = Entry(key: IdentifiedKey(Self.id(of: element, path)), value: element)
      if let place = builder.appendIfNew(entry) {
        let stored = builder.table.leaves.unique(place.leaf).mutableElements + place.offset
        guard
          let resolved = try Self.resolve(stored.pointee, entry, path, policy)
        else {
          let finished = builder.finish()
          throw IdentifiedArrayError.duplicateID(
            id: "\(entry.key.id)", offset: offset,
            index: finished.start(ofLeaf: place.leaf) + place.offset)
        }
        stored.pointee = resolved
      }
      offset += 1
    }
    self.init(at: path, table: builder.finish())
  }

  /// Appends elements. Their IDs may already be in the array, or repeat among the new elements.
  /// - Throws: `IdentifiedArrayError.duplicateID` if the policy is `.error` and an ID repeats. With
  ///   `.merge`, the error of the closure, or `IdentifiedArrayError.changedID` if the closure
  ///   changes the ID. If an error is thrown, the array is not changed.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of elements.
  @inlinable
  public mutating func append(
    contentsOf elements: some Sequence<Element>, duplicates policy: DuplicatePolicy<Element>
  ) throws {
    try insert(contentsOf: elements, at: count, duplicates: policy)
  }

  /// Inserts elements at a position, in their order. Their IDs may already be in the array, or
  /// repeat among the new elements.
  /// - Throws: `IdentifiedArrayError.duplicateID` if the policy is `.error` and an ID repeats. With
  ///   `.merge`, the error of the closure, or `IdentifiedArrayError.changedID` if the closure
  ///   changes the ID. If an error is thrown, the array is not changed.
  /// - Precondition: The position is valid, or `endIndex`.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of elements.
  @inlinable
  public mutating func insert(
    contentsOf elements: some Sequence<Element>, at position: Int,
    duplicates policy: DuplicatePolicy<Element>
  ) throws {
    var result = table
    var position = position
    var offset = 0
    for element in elements {
      let entry = entry(element)
      if let known = result.insert(entry, at: position) {
        guard let resolved = try Self.resolve(result[position: known], entry, idPath, policy) else {
          throw IdentifiedArrayError.duplicateID(
            id: "\(entry.key.id)", offset: offset, index: known)
        }
        result[position: known] = resolved
      } else {
        position += 1
      }
      offset += 1
    }
    table = result
  }

  /// Returns the entry that replaces two entries with the same ID under a policy, or `nil` if the
  /// policy is `.error`.
  @inlinable
  static func resolve(
    _ existing: Entry, _ new: Entry, _ path: IDPath,
    _ policy: DuplicatePolicy<Element>
  ) throws -> Entry? {
    switch policy {
    case .error: return nil
    case .keep: return existing
    case .replace: return new
    case .merge(let merge):
      let merged = try merge(existing.value, new.value)
      let id = Self.id(of: merged, path)
      guard IdentifiedKey(id) == existing.key else {
        throw IdentifiedArrayError.changedID(from: "\(existing.key.id)", to: "\(id)")
      }
      return Entry(key: existing.key, value: merged)
    }
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an array of elements whose IDs may repeat.
  /// - Throws: `IdentifiedArrayError.duplicateID` if the policy is `.error` and an ID repeats. With
  ///   `.merge`, the error of the closure, or `IdentifiedArrayError.changedID` if the closure
  ///   changes the ID.
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init(
    _ elements: some Sequence<Element>, duplicates policy: DuplicatePolicy<Element>
  ) throws {
    try self.init(elements, at: Self.identifiablePath, duplicates: policy)
  }
}
