/// The work that rebases have cost, for tests that count it.
struct RebaseWork: Equatable, Sendable {
  /// The number of batches that were applied or merged one by one.
  var batches = 0
  /// The number of merges of all waiting batches at once.
  var compositions = 0
}
