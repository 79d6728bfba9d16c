/// A first-in first-out queue with amortized O(1) append and removal.
package struct FIFOQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0
  /// The number of elements that have been discarded from the front of `elements`.
  private var discarded = 0

  /// Creates an empty queue.
  package init() {}

  package var isEmpty: Bool { head == elements.count }

  package var count: Int { elements.count - head }

  /// The position of the first element. Positions remain valid while other elements are appended
  /// and removed.
  package var firstPosition: Int { discarded + head }

  /// Appends an element.
  ///
  /// - Returns: The position of the element.
  @discardableResult
  package mutating func append(_ element: Element) -> Int {
    elements.append(element)
    return discarded + elements.count - 1
  }

  /// Accesses the element at a position; reading returns `nil` after the element has been removed.
  package subscript(position: Int) -> Element? {
    get { position < firstPosition ? nil : elements[position - discarded] }
    _modify {
      precondition(position >= firstPosition, "the element at \(position) has been removed")
      yield &elements[position - discarded]
    }
  }

  package var first: Element? { isEmpty ? nil : elements[head] }

  package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

  /// Removes the element that was appended last.
  package mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

  package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head].take()
    head += 1
    if head == elements.count {
      discarded += head
      elements.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64, head * 2 >= elements.count {
      discarded += head
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}

extension FIFOQueue: Sendable where Element: Sendable {}
