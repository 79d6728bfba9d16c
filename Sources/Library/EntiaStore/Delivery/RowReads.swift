/// The rows that an observer read in a version of the state, if they vary between calls.
struct RowReads: Sendable {
  var keys: [RowKey] = []
  /// The filter that accepts or rejects changes, used instead of keys.
  var filter: RowChangeFilter?
  let version: UInt64
}
