import EntiaCoding

/// The names of a row's members, in the order in which they were read. Rows of one shape share
/// them.
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
