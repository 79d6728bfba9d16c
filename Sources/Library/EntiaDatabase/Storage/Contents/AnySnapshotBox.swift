/// One version of a database's contents, for code that does not depend on their type.
///
/// Sendable although it has a subclass: the only subclass is `Snapshot.Box`, which adds constants.
@usableFromInline
class AnySnapshotBox: @unchecked Sendable {
  /// The address of the contents.
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let layout: ContentsLayout
  /// Collects the keys of the difference between an older version and this one.
  @usableFromInline let collectKeys: KeyCollectorFunction

  @inlinable
  init(
    _ start: UnsafeRawPointer, _ layout: ContentsLayout,
    _ collectKeys: @escaping KeyCollectorFunction
  ) {
    self.start = start
    self.layout = layout
    self.collectKeys = collectKeys
  }

  /// Whether the user holds other IDs than in another version of the same database.
  func hasOtherHeldIDs(than other: AnySnapshotBox) -> Bool { false }
}

/// One version of a database, for code that does not depend on its type.
@frozen
@usableFromInline
package struct StorageVersion: Sendable {
  @usableFromInline let box: AnySnapshotBox

  @inlinable
  init(box: AnySnapshotBox) { self.box = box }
}

extension Snapshot {
  /// Creates the snapshot of a version. It must be a version of a database with these contents,
  /// because optimized builds do not check the type.
  @inlinable
  init(_ version: StorageVersion) { box = unsafeDowncast(version.box, to: Box.self) }
}

extension NormalizedStorageType {
  /// The version of this database.
  package var version: StorageVersion { StorageVersion(box: snapshot.box) }
}
