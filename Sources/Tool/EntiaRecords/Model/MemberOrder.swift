package import EntiaCoding

/// A common order of the members of many rows, which follows the order in the rows. A member that
/// only some rows have is placed after its predecessor in these rows.
package struct MemberOrder {
  private var indices: [ExactString: Int] = [:]
  private var known: [ExactString] = []
  /// The order as a linked list of indices in `known`. The first element is the index of the first
  /// name. The element at `index + 1` is the index of the name after `known[index]`. The end is -1.
  private var links = [-1]
  private var last = MemberNames.empty

  package init() {}

  package init(_ rows: some Sequence<Record>) {
    for row in rows { add(row) }
  }

  /// Adds the members of a row.
  ///
  /// - Complexity: O(1) on average if the most recently added row has the same members; otherwise
  ///   O(members).
  package mutating func add(_ row: Record) {
    let names = row.body.names
    if names.isEqual(to: last) { return }
    last = names
    var link = 0
    for name in names.names {
      if let index = indices[name] {
        link = index + 1
      } else {
        indices[name] = known.count
        known.append(name)
        links.append(links[link])
        links[link] = known.count - 1
        link = known.count
      }
    }
  }

  /// The names of the members in their order.
  ///
  /// - Complexity: O(members).
  package var names: [ExactString] {
    var names: [ExactString] = []
    var index = links[0]
    while index >= 0 {
      names.append(known[index])
      index = links[index + 1]
    }
    return names
  }
}

/// The names of a row's members, in the order in which they were read. Rows of one import that have
/// the same members in the same order usually share one object.
final class MemberNames: Sendable {
  static let empty = MemberNames([])

  /// The names, without duplicates.
  let names: [ExactString]
  /// The indices of the names, sorted by the names' UTF-8 bytes.
  let sorted: [Int]

  /// Creates the names.
  ///
  /// - Parameter names: The names, without duplicates.
  init(_ names: [ExactString]) {
    self.names = names
    sorted = names.indices.sorted { names[$0] < names[$1] }
  }

  /// Returns whether both have the same names in the same order.
  @inline(__always)
  func isEqual(to other: MemberNames) -> Bool { self === other || names == other.names }

  /// Returns whether both have the same names, in any order.
  func hasSameNames(as other: MemberNames) -> Bool {
    sorted.count == other.sorted.count
      && zip(sorted, other.sorted).allSatisfy { names[$0] == other.names[$1] }
  }
}
