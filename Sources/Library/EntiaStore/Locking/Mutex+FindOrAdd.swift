extension Mutex {
  /// Returns an element that exists in the value, or adds one, so that concurrent callers receive
  /// the same one. Elements are compared and created without the lock, because this may run user
  /// code; if the value has changed meanwhile, the search starts again.
  ///
  /// - Parameters:
  ///   - read: Returns the elements to search, and a revision that differs after every change of
  ///     them; called under the lock.
  ///   - find: Returns an existing element; called without the lock.
  ///   - make: Creates an element, given the searched ones and their revision; called without the
  ///     lock.
  ///   - add: Adds the element to the value; called under the lock. It may remove only elements
  ///     that `read` has returned, because they are retained until the lock is released.
  /// - Returns: The element.
  func findOrAdd<Elements, Revision: Equatable, Element>(
    read: (Value) -> (elements: Elements, revision: Revision), find: (Elements) -> Element?,
    make: (Elements, Revision) -> Element, add: (inout Value, Element) -> Void
  ) -> Element {
    while true {
      let (elements, revision) = withLock { read($0) }
      if let element = find(elements) { return element }
      let element = make(elements, revision)
      let isAdded = withLock { value in
        guard read(value).revision == revision else { return false }
        add(&value, element)
        return true
      }
      withExtendedLifetime(elements) {}
      if isAdded { return element }
    }
  }
}
