import EntiaCollections

/// A key under which observers of rows are registered.
///
/// An ID is represented by its hash, so that a lookup under the store's lock runs no user code. A
/// collision only causes an observer to check its own row unnecessarily.
enum RowKey: Hashable, Sendable {
  /// One row of a table, present or missing.
  case row(detector: ObjectIdentifier, entity: ObjectIdentifier, idHash: UInt64)
  /// Any row of a table, or the order of its rows.
  case table(detector: ObjectIdentifier, entity: ObjectIdentifier)
  /// Any row of a table that has, or had, a value in a field that an observed query filters by.
  case field(detector: ObjectIdentifier, entity: ObjectIdentifier, field: Int, valueHash: Int)
  /// Any change of a database.
  case database(detector: ObjectIdentifier)

  /// The database to which the key belongs.
  var detector: ObjectIdentifier {
    switch self {
    case .row(let detector, _, _), .table(let detector, _), .field(let detector, _, _, _),
      .database(let detector):
      detector
    }
  }

  /// Returns the hash for a dictionary with a seed. The parts that it mixes are random hashes, or
  /// the addresses of few objects, so that one multiplication suffices.
  func _rawHashValue(seed: Int) -> Int {
    let bits: UInt64 =
      switch self {
      case .row(_, _, let idHash): idHash
      case .table(_, let entity): UInt64(UInt(bitPattern: entity))
      case .field(_, _, _, let valueHash): UInt64(truncatingIfNeeded: valueHash)
      case .database(let detector): UInt64(UInt(bitPattern: detector))
      }
    return Int(
      truncatingIfNeeded: HashMixing.hash(bits, seed: UInt64(truncatingIfNeeded: seed)))
  }

  /// Hashes only the part that distinguishes most keys, and leaves the rest to `==`, because this
  /// runs under the lock.
  func hash(into hasher: inout Hasher) {
    switch self {
    case .row(_, _, let idHash): hasher.combine(idHash)
    case .table(_, let entity): hasher.combine(entity)
    case .field(_, _, _, let valueHash): hasher.combine(valueHash)
    case .database(let detector): hasher.combine(detector)
    }
  }
}
