/// One immutable version of a database's contents, behind one reference.
///
/// A storage has exactly one stored property: its snapshot. A copy of the storage, a stored version
/// and a view therefore cost one reference each, independent of the number of tables. The contents
/// of a snapshot cannot be changed, and new contents are checked: the contents that a batch creates
/// at its end, and tables filled by hand in the storage's `init(validating:)`. Initial values in a
/// declaration that violate a rule are checked by the first batch. A table therefore cannot be
/// written without its indexes, relationships and rules.
@frozen
public struct Snapshot<Contents: StorageContents>: Sendable {
  @usableFromInline
  final class Box: AnySnapshotBox, @unchecked Sendable {
    /// For reads by name: reading a constant property of an object retains only the object.
    @usableFromInline let contents: Contents
    // Unchecked because of this pointer: its memory is written before the box can be read, only
    // read while the box is retained, and freed with it.
    /// For reads by key path: the same contents at an address, so that reading a part accesses
    /// only that part.
    @usableFromInline let address: UnsafeMutablePointer<Contents>

    convenience init(_ contents: Contents, isUnvalidated: Bool = false) {
      let address = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
      address.initialize(to: contents)
      self.init(
        adopting: address, ContentsLayout(address, isUnvalidated: isUnvalidated))
    }

    @inlinable
    convenience init(_ contents: Contents, _ layout: ContentsLayout) {
      let address = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
      address.initialize(to: contents)
      self.init(adopting: address, layout)
    }

    /// Creates the box of contents in memory that it frees, and that is not written any more.
    @inlinable
    init(adopting address: UnsafeMutablePointer<Contents>, _ layout: ContentsLayout) {
      if Self.sharesBytes {
        let contents = address.move()
        withUnsafeBytes(of: contents) {
          UnsafeMutableRawPointer(address).copyMemory(
            from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
        }
        self.contents = contents
      } else {
        contents = address.pointee
      }
      self.address = address
      super.init(UnsafeRawPointer(address), layout, KeyCollector<Contents>.function)
    }

    /// Whether the address has only the bytes of `contents`, which own what both refer to: a second
    /// value would retain and release every part again. A value whose bytes depend on their
    /// address, such as a weak reference, needs a value of its own there.
    @inlinable static var sharesBytes: Bool { _isBitwiseTakable(Contents.self) }

    override func hasOtherHeldIDs(than other: AnySnapshotBox) -> Bool {
      // Versions of the same database have contents of the same type.
      !contents.hasEqualHeldIDs(unsafeDowncast(other, to: Box.self).contents)
    }

    deinit {
      if !Self.sharesBytes { address.deinitialize(count: 1) }
      address.deallocate()
    }
  }

  @usableFromInline let box: Box

  /// Creates the initial version in the declaration of a storage. Relationships and indexes are
  /// built from the rows; their previous contents are discarded.
  ///
  /// Rows that violate a rule can be read, and `verify()` lists them. Every batch on them is
  /// refused unless it repairs all of them. `init(validating:)` of the storage throws instead.
  ///
  /// - Parameter contents: The tables, usually empty ones.
  /// - Complexity: O(*n*) in the number of rows.
  public init(_ contents: Contents) {
    let version = Snapshot(rebuilding: contents)
    let isSound = version.brokenRules().isEmpty
    box = isSound ? version.box : Box(version.contents, isUnvalidated: true)
  }

  /// Creates a version of rows without checking them; relationships and indexes are built from
  /// them.
  /// - Complexity: O(*n*) in the number of rows.
  package init(rebuilding contents: Contents) {
    var contents = contents
    Contents.requireConsistentParts()
    contents.rebuildDerivedParts()
    box = Box(contents)
  }

  /// Creates a version of contents whose relationships and indexes are known to match the rows.
  @usableFromInline
  package init(unchecked contents: Contents) { box = Box(contents) }

  /// The same contents as a version that the next batch checks as a whole.
  var unvalidated: Self { Self(box: Box(contents, isUnvalidated: true)) }

  private init(box: Box) { self.box = box }

  /// Creates a later version, of contents whose relationships and indexes are known to match the
  /// rows.
  @inlinable
  init(unchecked contents: Contents, after earlier: Self) {
    box = Box(contents, earlier.box.layout)
  }

  /// Creates a later version of contents whose relationships and indexes are known to match the
  /// rows. The version frees their memory, which must not be written any more.
  @inlinable
  init(adopting contents: UnsafeMutablePointer<Contents>, after earlier: Self) {
    box = Box(adopting: contents, earlier.box.layout)
  }

  /// The tables, indexes and relationships of this version.
  @inlinable
  public var contents: Contents {
    @inline(__always)
    _read { yield box.contents }
  }

  /// Whether two snapshots are the same version; `true` implies that they are equal.
  /// - Complexity: O(1).
  @inlinable
  public func isIdentical(to other: Self) -> Bool { box === other.box }
}
