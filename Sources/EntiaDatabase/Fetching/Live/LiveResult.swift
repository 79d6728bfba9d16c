/// What a description asks for, kept current from change sets instead of being fetched again.
///
/// A value that holds results, not versions: whoever brings it to another version gives the one that
/// it belongs to.
package protocol LiveResult: Sendable {
  associatedtype Storage: NormalizedStorageType
  associatedtype Entity: EntityType
  associatedtype Value: Equatable & Sendable

  /// Fetches once.
  init(_ descriptor: FetchDescriptor<Entity>, in storage: Storage)

  /// The result.
  var value: Value { get }

  /// Where the result differs from the one before the last step; `nil` where that is not known.
  var step: LiveFetchStep? { get }

  /// Brings the result to another version.
  ///
  /// - Parameters:
  ///   - old: A version that the result belongs to.
  ///   - isExact: Whether the result was computed in that version; otherwise only the values of the
  ///     rows that it concerns are the same there, and not always their places.
  ///   - new: The other version.
  ///   - changes: What changed, where it is known, and since which version.
  /// - Returns: How the result compares with the one before.
  mutating func advance(
    from old: Storage, isExact: Bool, to new: Storage, changes: LiveChanges<Storage>?,
    work: inout LiveWork
  ) -> LiveOutcome
}

/// What changed since a version.
package struct LiveChanges<Storage: NormalizedStorageType> {
  let since: Storage
  let set: StorageChangeSet<Storage>

  package init(since: Storage, set: StorageChangeSet<Storage>) {
    self.since = since
    self.set = set
  }
}

/// What keeping results current took, counted.
package struct LiveWork: Equatable, Sendable {
  /// How many rows the predicate was evaluated for.
  package var rowsExamined = 0
  /// How many times two rows were compared.
  package var comparisons = 0
  /// How many times everything was fetched anew.
  package var fetches = 0

  package init() {}

  package mutating func add(_ other: LiveWork) {
    rowsExamined += other.rowsExamined
    comparisons += other.comparisons
    fetches += other.fetches
  }
}

/// How a result compares with the one before.
package enum LiveOutcome: Sendable {
  /// Surely equal.
  case same
  /// Surely another.
  case different
  /// To be compared.
  case uncertain
}
