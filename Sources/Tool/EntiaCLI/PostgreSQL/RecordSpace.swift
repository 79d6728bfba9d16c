import EntiaPostgreSQL

/// A space of records: what `SharedDatabase` opens with a storage, without one.
///
/// The rows of an entity are those of the table with its name, so that a program whose entities
/// match can load them. The part `$records`, which no table is named, has the schema, the rows of
/// the top level and the orders of members. They describe the space as it was written; rows that
/// were changed afterwards are read as they are.
struct RecordSpace {
  /// The part of the description.
  static let description = "$records"

  let space: UntypedSpace

  /// Creates a space; the first call connects.
  /// - Parameters:
  ///   - connection: The connection string.
  ///   - space: The name of the space.
  /// - Throws: `SharedDatabaseError` for a connection string that cannot be used.
  init(connecting connection: String, space: String) throws {
    self.space = try UntypedSpace(connecting: connection, space: space)
  }
}
