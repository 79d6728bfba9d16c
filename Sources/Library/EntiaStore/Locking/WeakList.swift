/// A list of weak references to objects.
///
/// References to released objects are removed when the length of the list has doubled since the
/// last removal. The length therefore stays proportional to the number of existing objects.
final class WeakList<Element: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var element: Element?
  }

  private struct Contents {
    var entries: [Entry] = []
    var added = 0
    /// The number of entries at which the entries of released objects are removed.
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// The number of entries, including those of released objects.
  var count: Int { contents.withLock { $0.entries.count } }

  /// The existing objects, in the order in which they were added.
  var all: [Element] { contents.withLock { $0.entries }.compactMap(\.element) }

  /// Returns an object that fulfills a condition; adds one if there is none.
  ///
  /// - Parameters:
  ///   - isSame: Returns whether an object fulfills the condition; called without the lock.
  ///   - make: Creates the object. Its argument is unique among the objects of the list.
  func element(where isSame: (Element) -> Bool, make: (_ number: Int) -> Element) -> Element {
    var isOverLimit = false
    let element = contents.findOrAdd(
      read: { ($0.entries, revision: $0.added) },
      find: { $0.lazy.compactMap(\.element).first(where: isSame) }, make: { make($1) },
      add: { contents, element in
        contents.added += 1
        contents.entries.append(Entry(element: element))
        isOverLimit = contents.entries.count > contents.limit
      })
    if isOverLimit { removeReleased() }
    return element
  }

  /// Adds an object, unless it is already in the list.
  func add(_ element: Element) {
    _ = self.element(where: { $0 === element }, make: { _ in element })
  }

  private func removeReleased() {
    let (known, added) = contents.withLock { ($0.entries, $0.added) }
    // Reading a weak reference retains the object for a moment. If its other owners release it
    // meanwhile, its `deinit` runs here. The references are therefore read without the lock.
    let held = known.filter { $0.element != nil }
    contents.withLock { contents in
      guard contents.added == added else { return }
      contents.entries = held
      contents.limit = max(16, 2 * held.count)
    }
  }
}
