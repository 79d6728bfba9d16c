/// The rows that an observer read in a version of the state, if they vary between calls.
struct RowReads: Sendable {
  var keys: [RowKey] = []
  /// What decides about changes instead of keys.
  var filter: RowChangeFilter?
  let version: UInt64
}
