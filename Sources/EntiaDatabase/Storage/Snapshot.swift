/// One immutable version of a database's contents, held by one reference.
///
/// A storage has exactly one stored property: its snapshot. Copying the storage, keeping a version
/// and holding a view then cost one reference each, whatever the number of tables. A snapshot's
/// contents cannot be changed, and new contents come only from batches, so that there is no way to
/// write a table around its indexes and relationships.
@frozen
public struct Snapshot<Contents: StorageContents>: Sendable {
  @usableFromInline
  final class Box: @unchecked Sendable {
    /// For reads by name: a constant of an object is read without retaining more than the object.
    @usableFromInline let contents: Contents
    // Unchecked because of this pointer: its memory is written once, here, only read while anyone
    // holds the box, and freed with it.
    /// For reads by key path: the same contents at an address, so that a read of one part touches
    /// that part alone.
    @usableFromInline let place: UnsafeMutablePointer<Contents>
    @usableFromInline let layout: ContentsLayout

    init(_ contents: Contents) {
      self.contents = contents
      place = .allocate(capacity: 1)
      place.initialize(to: contents)
      layout = ContentsLayout(place)
    }

    @inlinable
    init(_ contents: Contents, _ layout: ContentsLayout) {
      self.contents = contents
      place = .allocate(capacity: 1)
      place.initialize(to: contents)
      self.layout = layout
    }

    deinit {
      place.deinitialize(count: 1)
      place.deallocate()
    }
  }

  @usableFromInline let box: Box

  /// Creates a version from tables; relationships and indexes are built from their rows, whatever
  /// they held.
  /// - Complexity: O(*n*) in the number of rows.
  public init(_ contents: Contents) {
    var contents = contents
    Contents.requireConsistentParts()
    contents.rebuildDerivedParts()
    box = Box(contents)
  }

  /// Creates a version of contents whose relationships and indexes are known to agree with the rows.
  package init(unchecked contents: Contents) { box = Box(contents) }

  /// Creates a later version, of contents whose relationships and indexes are known to agree with the
  /// rows.
  @inlinable
  init(unchecked contents: Contents, after earlier: Self) {
    box = Box(contents, earlier.box.layout)
  }

  /// The tables, indexes and relationships of this version.
  @inlinable
  public var contents: Contents {
    @inline(__always)
    _read { yield box.contents }
  }

  /// Whether two are the same version; `true` means surely equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { box === other.box }
}
