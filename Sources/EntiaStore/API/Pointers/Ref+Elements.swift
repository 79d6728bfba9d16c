extension Ref
where Value: MutableCollection & RandomAccessCollection, Value.Index: Sendable {
  /// A pointer to the element at an index, even if the element there changes.
  ///
  /// If the collection has become too short, reading returns the last known element, and writes are
  /// refused with a ``RefError``. To refer to an element across reorderings, use `[id:]`. To refer
  /// to a value of a dictionary, use its key, as in `stock[\.["pears"]]`: an index of a dictionary
  /// must not be used after a removal.
  ///
  /// - Precondition: The index is valid when the pointer is created.
  /// - Complexity: O(1) to read and write where the collection's indices are a range, as those of
  ///   an array are; otherwise O(*n*).
  public subscript(index: Value.Index) -> Ref<Value.Element> where Value.Element: Sendable {
    let collection = value
    precondition(
      collection.indices.contains(index), "there is no element \(index) to point to")
    let last = LastKnown(collection[index])
    return map(
      get: { last.record($0.indices.contains(index) ? $0[index] : nil) },
      edit: { collection, body in
        guard collection.indices.contains(index) else {
          if let index = index as? Int {
            throw RefError.noElement(index: index, count: collection.count)
          }
          throw RefError.lost(what: "element at that index of the \(Value.self)")
        }
        try body(&collection[index])
        _ = last.record(collection[index])
      })
  }
}

extension Ref
where
  Value: MutableCollection & RangeReplaceableCollection, Value.Element: Identifiable & Sendable,
  Value.Element.ID: Sendable
{
  /// A pointer to the element with an ID at any position; `nil` after it has been removed.
  ///
  /// Writing `nil` removes the element. Writing an element that does not exist and changing its ID
  /// are refused with a ``RefError``.
  ///
  /// - Complexity: O(*n*) to read after a change, and to write.
  public subscript(id id: Value.Element.ID) -> Ref<Value.Element?> {
    @Sendable func index(in collection: Value) -> Value.Index? {
      collection.firstIndex { $0.id == id }
    }
    return map(
      get: { collection in index(in: collection).map { collection[$0] } },
      edit: { collection, body in
        guard let index = index(in: collection) else {
          var nothing: Value.Element?
          try body(&nothing)
          if nothing != nil { throw RefError.lost(what: "\(Value.Element.self) \(id)") }
          return
        }
        var element: Value.Element? = collection[index]
        try body(&element)
        guard let element else {
          collection.remove(at: index)
          return
        }
        guard element.id == id else {
          throw RefError.changedID(from: "\(id)", to: "\(element.id)")
        }
        collection[index] = element
      })
  }
}
