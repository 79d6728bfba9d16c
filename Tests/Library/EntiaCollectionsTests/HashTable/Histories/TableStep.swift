/// One step of a history, on one of its versions.
struct TableStep: CustomStringConvertible {
  enum Kind: UInt8, CaseIterable {
    case insert
    /// Inserts a row equal to the one that is there.
    case insertEqual
    case updateOrInsert
    case update
    /// Updates with a closure that throws after its change.
    case failingUpdate
    case replace
    /// Replaces by slot number, as the database does.
    case replaceSlot
    case remove
    case removeAll
    case reserve
    /// Builds the table anew from its rows and the row of one key.
    case rebuild
    /// Puts a copy of the version in the place of another.
    case copy
    /// Begins to iterate over the version, one row a step from now on.
    case walk
    /// Inserts a number of keys in a row.
    case fill
    /// Removes a number of keys in a row.
    case drain
  }

  let kind: Kind
  let version: Int
  /// The key, or a number for what has none.
  let value: Int
  /// How many keys are filled or drained, how much is reserved, where the copy goes.
  var amount = 1

  var description: String { "\(kind) in \(version), key \(value), amount \(amount)" }
}
