/// The result of a fetch, updated from change sets instead of fetched again.
///
/// It stores results, not versions: the caller of `advance` passes the version that the result
/// belongs to.
package protocol LiveResult: Sendable {
  associatedtype Storage: NormalizedStorageType
  associatedtype Entity: EntityType
  associatedtype Value: Equatable & Sendable

  /// Creates the result with a fetch.
  init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage)

  /// The result.
  var value: Value { get }

  /// The difference from the result before the last step; `nil` when it is not known.
  var step: LiveFetchStep? { get }

  /// The boundary that a changed row must cross to change the result; `nil` if every row may.
  var boundary: LiveBoundary<Entity>? { get }

  /// Whether the result depends on the values of its table's rows alone: neither on their places in
  /// the table nor on rows of other tables.
  var isLocal: Bool { get }

  /// Updates the result to another version.
  ///
  /// - Parameters:
  ///   - old: A version that the result belongs to.
  ///   - isExact: Whether the result was computed in that version. Otherwise only the values of
  ///     the rows in the result are guaranteed to be the same there, not their places.
  ///   - new: The other version.
  ///   - changes: The changes, where they are known, and the version that they start from.
  ///   - differing: The visitor of the rows that differ between two versions.
  ///   - work: The counters to increase.
  /// - Returns: The comparison of the result with the previous one.
  mutating func advance(
    from old: Storage, isExact: Bool, to new: Storage, changes: LiveChanges<Storage>?,
    rows differing: DifferingRows<Storage, Entity>, work: inout LiveWork
  ) -> LiveOutcome
}
