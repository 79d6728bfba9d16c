/// The difference between the result of a live fetch and the previous result.
///
/// A row with another value or another position is in both lists. All other rows keep their
/// relative order.
package struct LiveFetchStep: Sendable {
  /// The positions in the old result of the rows that left it, ascending.
  package let left: [Int]
  /// The positions in the new result of the rows that entered it, ascending.
  package let came: [Int]
}
