import EntiaCollections

/// An element of several sizes, so that trees of a few hundred are as high as they get.
protocol TreeElement: Equatable, Sendable, CustomStringConvertible {
  init(key: Int, id: Int)
  var key: Int { get }
  var id: Int { get }
}

extension TreeElement {
  var description: String { "\(key)#\(id)" }
}

/// Two plain words: many to a leaf.
struct SlimElement: TreeElement {
  let key: Int
  let id: Int
}

/// So wide that nodes are as small as they get, with references in it.
struct WideElement: TreeElement {
  let key: Int
  let id: Int
  let text: String
  let ballast: (SIMD16<Int64>, SIMD16<Int64>)

  init(key: Int, id: Int) {
    self.key = key
    self.id = id
    text = "a text that is too long to be kept inline: \(key), \(id)"
    ballast = (.zero, .zero)
  }

  static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.id == b.id && a.text == b.text }
}

/// The order of tests, by the protocol's own `precedes`; comparisons are counted.
enum TreeLayout<Element: TreeElement>: SortedElements {
  static func key(of element: Element) -> Int { element.key }

  static func keyPrecedes(_ a: Int, _ b: Int) -> Bool {
    Comparisons.note()
    return a < b
  }

  static func tiePrecedes(_ a: Element, _ b: Element) -> Bool { a.id < b.id }
}

/// Counts comparisons of one task.
final class Comparisons: @unchecked Sendable {
  // Unchecked: one task counts its own comparisons.
  private(set) var count = 0
  @TaskLocal private static var current: Comparisons?

  static func counting(_ body: () throws -> Void) rethrows -> Int {
    let comparisons = Comparisons()
    try $current.withValue(comparisons, operation: body)
    return comparisons.count
  }

  static func note() { current?.count += 1 }
}
