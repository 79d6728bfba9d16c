/// One immutable version of a database's contents, held by one reference.
///
/// A storage has exactly one stored property: its snapshot. Copying the storage, keeping a version
/// and holding a view then cost one reference each, whatever the number of tables. A snapshot's
/// contents cannot be changed, and new contents are judged: those of a batch at its end, those that
/// were filled by hand by `init(validating:)` of the storage, and those of a declaration, if they break
/// a rule, by the first batch on them. So there is no way to write a table around its indexes,
/// relationships and rules.
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

    init(_ contents: Contents, isUnjudged: Bool = false) {
      self.contents = contents
      place = .allocate(capacity: 1)
      place.initialize(to: contents)
      layout = ContentsLayout(place, isUnjudged: isUnjudged)
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

  /// Creates the version that a storage is declared with; relationships and indexes are built from its
  /// rows, whatever they held.
  ///
  /// Rows that break a rule can be read, and `verify()` lists them; every batch on them is refused that
  /// does not repair all of them. `init(validating:)` of the storage throws instead.
  ///
  /// - Parameter contents: The tables, usually empty ones.
  /// - Complexity: O(*n*) in the number of rows.
  public init(_ contents: Contents) {
    let version = Snapshot(rebuilding: contents)
    let isSound = version.brokenRules().isEmpty
    box = isSound ? version.box : Box(version.contents, isUnjudged: true)
  }

  /// Creates a version of rows that nothing judges; relationships and indexes are built from them.
  /// - Complexity: O(*n*) in the number of rows.
  package init(rebuilding contents: Contents) {
    var contents = contents
    Contents.requireConsistentParts()
    contents.rebuildDerivedParts()
    box = Box(contents)
  }

  /// Creates a version of contents whose relationships and indexes are known to agree with the rows.
  @usableFromInline
  package init(unchecked contents: Contents) { box = Box(contents) }

  /// The same contents as a version that the next batch judges as a whole.
  var unjudged: Self { Self(box: Box(contents, isUnjudged: true)) }

  private init(box: Box) { self.box = box }

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
