/// The matching documents with the highest scores. Among documents with equal scores, those with
/// lower numbers are first.
struct TopDocuments {
  struct Entry {
    let document: Int
    let score: Double
  }

  private var first: FirstElements<Entry>

  init(limit: Int) { first = FirstElements(limit: limit) }

  @inline(__always)
  static func precedes(_ a: Entry, _ b: Entry) -> Bool {
    a.score == b.score ? a.document < b.document : a.score > b.score
  }

  /// The documents, in no order.
  var entries: [Entry] { first.elements }

  /// Adds a document, unless `limit` other documents precede it.
  @inline(__always)
  mutating func offer(_ document: Int, _ score: Double) {
    first.offer(Entry(document: document, score: score), Self.precedes)
  }

  /// Returns the documents, the highest score first.
  func sorted() -> [Entry] { entries.sorted(by: Self.precedes) }
}

/// The first of the offered elements in an order: at most `limit` elements, or all without a limit.
///
/// With a limit, the elements are a heap whose top is the last element in the order. An offered
/// element that follows the top costs one comparison.
struct FirstElements<Element> {
  private(set) var elements: [Element] = []
  private let limit: Int

  /// Creates an empty collection. `Int.max` stands for no limit.
  init(limit: Int) { self.limit = limit }

  /// Adds an element, unless `limit` other elements precede it.
  @inline(__always)
  mutating func offer(_ element: Element, _ precedes: (Element, Element) -> Bool) {
    if elements.count < limit {
      elements.append(element)
      if limit < .max { rise(precedes) }
    } else if limit > 0, precedes(element, elements[0]) {
      elements[0] = element
      sink(precedes)
    }
  }

  private mutating func rise(_ precedes: (Element, Element) -> Bool) {
    var index = elements.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard precedes(elements[parent], elements[index]) else { return }
      elements.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func sink(_ precedes: (Element, Element) -> Bool) {
    var index = 0
    while 2 * index + 1 < elements.count {
      var child = 2 * index + 1
      if child + 1 < elements.count, precedes(elements[child], elements[child + 1]) { child += 1 }
      guard precedes(elements[index], elements[child]) else { return }
      elements.swapAt(index, child)
      index = child
    }
  }
}
