extension Ref
where Value: MutableCollection & RandomAccessCollection, Value.Index: Sendable {
  /// A pointer to the element at an index of the collection. Each access refers to the element that
  /// is at the index at the time of the access.
  ///
  /// While the collection has no such index, reading returns the element that was last read or
  /// written through the pointer, and writes are refused with a ``RefError``. If there has never
  /// been an element at the index, reading stops the process, like reading the collection; `[at:]`
  /// returns `nil` instead. To refer to an element across reorderings, use `[id:]`. To refer to a
  /// value of a dictionary, use its key, as in `stock[\.["pears"]]`, because an index of a
  /// dictionary must not be used after a removal.
  ///
  /// - Complexity: O(1) to read and write if the collection's indices are a range, as in an array;
  ///   otherwise O(*n*).
  public subscript(index: Value.Index) -> Ref<Value.Element> where Value.Element: Sendable {
    let collection = value
    let first = collection.indices.contains(index) ? collection[index] : nil
    return map(
      .element(index), keepsLast: true,
      getAfter: { (collection, last: Value.Element?) in
        if collection.indices.contains(index) { return collection[index] }
        guard let element = last ?? first else {
          fatalError("there never was an element \(index); read it through `[at:]`")
        }
        return element
      },
      edit: { collection, body in
        guard collection.indices.contains(index) else { throw Self.noElement(index, collection) }
        try body(&collection[index])
      })
  }

  /// A pointer to the element at an index of the collection. Each access refers to the element that
  /// is at the index at the time of the access. The value is `nil` while the collection has no such
  /// index.
  ///
  /// Writing `nil`, and writing while there is no such index, are refused with a ``RefError``.
  ///
  /// - Complexity: O(1) to read and write if the collection's indices are a range, as in an array;
  ///   otherwise O(*n*).
  public subscript(at index: Value.Index) -> Ref<Value.Element?> where Value.Element: Sendable {
    map(
      .element(index), get: { $0.indices.contains(index) ? $0[index] : nil },
      edit: { collection, body in
        let exists = collection.indices.contains(index)
        var element = exists ? collection[index] : nil
        try body(&element)
        switch (exists, element) {
        case (true, let element?): collection[index] = element
        case (true, nil): throw RefError.nilField(type: "\(Value.Element.self)")
        case (false, nil): break
        case (false, _?): throw Self.noElement(index, collection)
        }
      })
  }

  private static func noElement(_ index: Value.Index, _ collection: Value) -> RefError {
    if let index = index as? Int { return .noElement(index: index, count: collection.count) }
    return .lost(what: "element at that index of the \(Value.self)")
  }
}

extension Ref
where
  Value: MutableCollection & RangeReplaceableCollection, Value.Element: Identifiable & Sendable,
  Value.Element.ID: Sendable
{
  /// A pointer to the element with an ID, at any position. The value is `nil` while the collection
  /// has no element with the ID.
  ///
  /// Writing `nil` removes the element. Writing an element is refused with a ``RefError`` if the
  /// collection has no element with the ID, or if the written element has another ID.
  ///
  /// - Complexity: O(*n*) to read after a change, and to write.
  public subscript(id id: Value.Element.ID) -> Ref<Value.Element?> {
    @Sendable func index(in collection: Value) -> Value.Index? {
      collection.firstIndex { $0.id == id }
    }
    return map(
      .element(id), get: { collection in index(in: collection).map { collection[$0] } },
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

#if canImport(SwiftUI)
  public import SwiftUI

  extension Ref {
    /// A binding for SwiftUI controls: it reads and writes through the pointer.
    ///
    /// A view that reads it is updated when the value changes. Writes form one undo step, as
    /// described in ``Ref``.
    public var binding: Binding<Value> { binding() }

    /// Returns a binding for SwiftUI controls, with options for undoing its writes.
    ///
    /// - Parameters:
    ///   - name: A name for the commits, and for the undo step that they form.
    ///   - undo: Whether the writes are undo steps.
    ///   - coalescing: Whether a write may become part of the last undo step. By default, it may if
    ///     that step is a write through an equal pointer.
    /// - Returns: The binding.
    public func binding(
      _ name: String? = nil, undo: UndoRecording = .step, coalescing: UndoCoalescing? = nil
    ) -> Binding<Value> {
      let write = RefWrite(name, coalescing: coalescing, at: "a write through a binding")
      return Binding(get: { self.value }, set: { self.set($0, write, undo: undo) })
    }

    /// Returns a binding to the value of an optional, for SwiftUI controls.
    ///
    /// ```swift
    /// TextField("Name", text: author[\.name].binding(default: ""))
    /// ```
    ///
    /// A view that reads the binding is updated when the value changes. Writing the binding sets
    /// the value. A write is ignored and reported while the value cannot be stored, for example in
    /// a field of a removed entity.
    ///
    /// - Parameters:
    ///   - fallback: The value that is read instead of `nil`.
    ///   - name: A name for the commits, and for the undo step that they form.
    ///   - undo: Whether the writes are undo steps.
    ///   - coalescing: Whether a write may become part of the last undo step. By default, it may if
    ///     that step is a write through an equal pointer.
    /// - Returns: The binding.
    public func binding<Wrapped: Sendable>(
      default fallback: Wrapped, _ name: String? = nil, undo: UndoRecording = .step,
      coalescing: UndoCoalescing? = nil
    ) -> Binding<Wrapped> where Value == Wrapped? {
      let write = RefWrite(name, coalescing: coalescing, at: "a write through a binding")
      return Binding(get: { self.value ?? fallback }, set: { self.set($0, write, undo: undo) })
    }
  }
#endif
