/// A stack with a maximum size. When it is full, adding an element discards the oldest one in
/// constant time.
struct BoundedStack<Element> {
  let limit: Int
  /// The elements. The array grows to the limit and is a ring buffer from then on.
  private var storage: [Element?] = []
  private var start = 0
  private(set) var count = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  var isEmpty: Bool { count == 0 }

  var last: Element? {
    count == 0 ? nil : storage[place(of: count - 1)]
  }

  /// The elements, oldest first.
  var elements: [Element] {
    (0..<count).compactMap { storage[place(of: $0)] }
  }

  /// Pushes an element, and returns the discarded element, if any.
  mutating func push(_ element: consuming Element) -> Element? {
    guard limit > 0 else { return element }
    if count == limit {
      var discarded: Element? = element
      swap(&storage[start], &discarded)
      start = (start + 1) % limit
      return discarded
    }
    let place = place(of: count)
    if place == storage.count { storage.append(element) } else { storage[place] = element }
    count += 1
    return nil
  }

  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return storage[place(of: count)].take()
  }

  mutating func updateLast(_ body: (inout Element) -> Void) {
    guard count > 0 else { return }
    let place = place(of: count - 1)
    // The element is moved out of the array, so that the mutation does not copy its contents.
    if var element = storage[place].take() {
      body(&element)
      storage[place] = element
    }
  }

  /// Removes the oldest element.
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let first = storage[start].take()
    start = (start + 1) % limit
    count -= 1
    return first
  }

  /// Returns the array index of an element. The array has a slot for the next index, or can append
  /// one: indices wrap only when the array is full.
  private func place(of index: Int) -> Int { (start + index) % limit }
}

extension BoundedStack: Sendable where Element: Sendable {}
