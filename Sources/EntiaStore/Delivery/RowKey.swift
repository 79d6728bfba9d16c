/// What an observer of rows is filed under.
///
/// An ID stands here by its hash, so that a look-up under the store's lock runs no user's code: a
/// collision only makes an observer look at its own row once too often.
enum RowKey: Hashable, Sendable {
  /// One row of a table, present or missing.
  case row(feed: ObjectIdentifier, entity: ObjectIdentifier, idHash: UInt64)
  /// Any row of a table, and the order of its rows.
  case table(feed: ObjectIdentifier, entity: ObjectIdentifier)
  /// Any row of a table that has, or had, a value in a field for which somebody follows a query.
  case field(feed: ObjectIdentifier, entity: ObjectIdentifier, route: Int, valueHash: Int)
  /// Anything in a database.
  case database(feed: ObjectIdentifier)

  /// Takes in what tells most keys apart, and leaves the rest to `==`: it is done under the lock.
  func hash(into hasher: inout Hasher) {
    switch self {
    case .row(_, _, let idHash): hasher.combine(idHash)
    case .table(_, let entity): hasher.combine(entity)
    case .field(_, _, _, let valueHash): hasher.combine(valueHash)
    case .database(let feed): hasher.combine(feed)
    }
  }
}
