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
  /// The rows of a table that have, or had, a certain value in an observed field.
  case field(detector: ObjectIdentifier, entity: ObjectIdentifier, field: Int, valueHash: Int)
  /// Any change of the ages and answers of received rows.
  case freshness(detector: ObjectIdentifier)
  /// Any change of a database.
  case database(detector: ObjectIdentifier)

  /// The database to which the key belongs.
  var detector: ObjectIdentifier {
    switch self {
    case .row(let detector, _, _), .table(let detector, _), .field(let detector, _, _, _),
      .freshness(let detector), .database(let detector):
      detector
    }
  }

  /// Returns the hash for a dictionary with a seed. One multiplication suffices, because each case
  /// hashes a random hash or the address of one of few objects.
  func _rawHashValue(seed: Int) -> Int {
    let bits: UInt64 =
      switch self {
      case .row(_, _, let idHash): idHash
      case .table(_, let entity): UInt64(UInt(bitPattern: entity))
      case .field(_, _, _, let valueHash): UInt64(truncatingIfNeeded: valueHash)
      case .freshness(let detector), .database(let detector): UInt64(UInt(bitPattern: detector))
      }
    return Int(
      truncatingIfNeeded: HashMixing.hash(bits, seed: UInt64(truncatingIfNeeded: seed)))
  }

  /// Hashes only the value that distinguishes most keys, because this runs under the lock. `==`
  /// compares the other values.
  func hash(into hasher: inout Hasher) {
    switch self {
    case .row(_, _, let idHash): hasher.combine(idHash)
    case .table(_, let entity): hasher.combine(entity)
    case .field(_, _, _, let valueHash): hasher.combine(valueHash)
    case .freshness(let detector), .database(let detector): hasher.combine(detector)
    }
  }
}

/// The comparison of two versions of the state. The change set of a database is computed once, when
/// it is first needed.
///
/// The comparison does not retain the versions, because that would take as long as comparing a row.
/// Its owner must retain them while the comparison or a copy of it is used.
struct RowVersionComparison: Sendable {
  private struct Known: Sendable {
    let detector: DatabaseChangeDetector
    let changeSet: any Sendable
  }

  unowned(unsafe) let old: AnyStateVersion
  unowned(unsafe) let new: AnyStateVersion
  private var known: [Known] = []

  init(from old: AnyStateVersion, to new: AnyStateVersion) {
    self.old = old
    self.new = new
  }

  /// The number of databases whose change sets have been computed.
  var count: Int { known.count }

  /// Returns the change set of a database. Must be called without a lock.
  mutating func changeSet(of detector: DatabaseChangeDetector) -> any Sendable {
    if let found = knownChangeSet(of: detector) { return found }
    let changeSet = detector.changeSet(from: old, to: new)
    known.append(Known(detector: detector, changeSet: changeSet))
    return changeSet
  }

  /// Returns the change set of a database if it has been computed.
  func knownChangeSet(of detector: DatabaseChangeDetector) -> (any Sendable)? {
    known.first { $0.detector === detector }?.changeSet
  }

  /// Adds the change sets that another comparison of the same versions has computed.
  mutating func merge(_ other: RowVersionComparison) {
    for entry in other.known where knownChangeSet(of: entry.detector) == nil { known.append(entry) }
  }
}
