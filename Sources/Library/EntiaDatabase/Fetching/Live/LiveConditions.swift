/// The conditions of a live fetch in one version: its predicate, and its conditions on related
/// rows.
struct LiveConditions<Entity: EntityType> {
  private let query: LiveFetchQuery<Entity>
  /// The conditions on related rows. It is `nil` if the version lacks a relationship that one of
  /// them uses; no row matches then.
  private let related: [PreparedCondition<Entity>]?

  init<Storage: NormalizedStorageType>(_ query: LiveFetchQuery<Entity>, in storage: Storage) {
    self.query = query
    var prepared: [PreparedCondition<Entity>] = []
    let counter = FetchCounter()
    for condition in query.descriptor.related {
      guard let condition = Self.prepare(condition, in: storage, counter) else {
        related = nil
        return
      }
      prepared.append(condition)
    }
    related = prepared
  }

  private static func prepare<Storage: NormalizedStorageType>(
    _ condition: some RelatedCondition<Entity>, in storage: Storage, _ counter: FetchCounter
  ) -> PreparedCondition<Entity>? { condition.prepare(in: storage, counter) }

  /// Whether a row of the version satisfies all conditions.
  func accept(_ entity: Entity) -> Bool {
    guard let related, query.accepts(entity) else { return false }
    if related.isEmpty { return true }
    return withUnsafePointer(to: entity) { row in
      related.allSatisfy { $0.accepts(UnsafeRawPointer(row)) }
    }
  }
}
