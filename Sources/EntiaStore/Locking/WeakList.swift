/// Objects that are listed as long as something else holds them.
///
/// Those that have been released are removed when the list has twice the length that it had after the
/// last removal, so that it stays in proportion to those that are held.
final class WeakList<Element: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak var element: Element?
  }

  private struct Contents {
    var entries: [Entry] = []
    var added = 0
    /// The number of entries at which those that have been released are removed.
    var limit = 16
  }

  private let contents = Mutex(Contents())

  /// The number of entries, including those that have been released.
  var count: Int { contents.withLock { $0.entries.count } }

  /// The objects that are held, in the order in which they were added.
  var all: [Element] { contents.withLock { $0.entries }.compactMap(\.element) }

  /// Returns the object that a condition is true for; adds one where there is none.
  ///
  /// - Parameters:
  ///   - isSame: Whether an object is the one; called without a lock, because it may run a user's code.
  ///   - make: Creates the object; its argument is another number for every object of the list.
  func element(where isSame: (Element) -> Bool, make: (_ number: Int) -> Element) -> Element {
    while true {
      let (known, added) = contents.withLock { ($0.entries, $0.added) }
      if let element = known.lazy.compactMap(\.element).first(where: isSame) { return element }
      let element = make(added)
      let isFull = contents.withLock { contents -> Bool? in
        guard contents.added == added else { return nil }
        contents.added += 1
        contents.entries.append(Entry(element: element))
        return contents.entries.count > contents.limit
      }
      if isFull == true { removeReleased() }
      if isFull != nil { return element }
    }
  }

  private func removeReleased() {
    let (known, added) = contents.withLock { ($0.entries, $0.added) }
    // An object may be released here for the last time, which runs a user's code.
    let held = known.filter { $0.element != nil }
    contents.withLock { contents in
      guard contents.added == added else { return }
      contents.entries = held
      contents.limit = max(16, 2 * held.count)
    }
  }
}
