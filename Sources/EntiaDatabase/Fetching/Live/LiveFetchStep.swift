/// Where the result of a live fetch differs from the one before.
///
/// A row that has another value, or another place, is named twice: where it was and where it is. All
/// others keep their order.
package struct LiveFetchStep: Sendable {
  /// The positions in the old result of the rows that left it, ascending.
  package let left: [Int]
  /// The positions in the new result of the rows that came, ascending.
  package let came: [Int]
}
