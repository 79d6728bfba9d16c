/// The key path of a part of a database: of a table, a relationship, an index or a check.
public typealias PartPath<Contents, Part> = any WritableKeyPath<Contents, Part> & Sendable

/// A visitor of the parts of a database.
public protocol StorageVisitor {
  /// The contents whose parts are visited.
  associatedtype Contents: StorageContents

  /// Visits a table. The path must lead to a stored property.
  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>)

  /// Visits an index. The path must lead to a stored property.
  mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>)

  /// Visits a check. The path must lead to a stored property.
  mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>)

  /// Visits a relationship. The path must lead to a stored property.
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>)
}

// Only Entia visits the parts. A visitor ignores the kinds of parts that it does not need.
extension StorageVisitor {
  @inlinable
  @inline(__always)
  package mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
  }

  @inlinable
  @inline(__always)
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
  }

  @inlinable
  @inline(__always)
  package mutating func check<Check: CheckType>(_ name: String, _ path: PartPath<Contents, Check>) {
  }

  @inlinable
  @inline(__always)
  package mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {}
}

/// A visitor that visits only the indexes that consist of held IDs.
package protocol HeldIDsVisitor: StorageVisitor {
  /// Visits a collection of held IDs.
  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>)
}

extension HeldIDsVisitor {
  /// Visits the index if it has held IDs.
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard let type = Index.self as? any HeldIDs.Type else { return }
    func visit<IDs: HeldIDs>(_ type: IDs.Type) {
      heldIDs(name, recast(path, as: PartPath<Contents, IDs>.self))
    }
    visit(type)
  }
}

extension StorageContents {
  /// Whether both contents hold the same IDs. If `onlyIdentical` is `true`, the held IDs must also
  /// be the same version.
  @usableFromInline
  func hasEqualHeldIDs(_ other: Self, onlyIdentical: Bool = false) -> Bool {
    var comparison = HeldIDsComparison(a: self, b: other, onlyIdentical: onlyIdentical)
    Self.visitParts(&comparison)
    return comparison.isEqual
  }
}

private struct HeldIDsComparison<Contents: StorageContents>: HeldIDsVisitor {
  let a: Contents
  let b: Contents
  let onlyIdentical: Bool
  var isEqual = true

  mutating func heldIDs<IDs: HeldIDs>(_ name: String, _ path: PartPath<Contents, IDs>) {
    guard isEqual else { return }
    let (a, b) = (a[keyPath: path], b[keyPath: path])
    isEqual = a.isIdentical(to: b) || (!onlyIdentical && a == b)
  }
}

/// The differences that decoding accepts between the encoded parts and those of the storage.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.storageDecoding] = StorageDecodingOptions.missingTables
/// let library = try decoder.decode(Library.self, from: data)
/// ```
///
/// Allow `missingTables` to read files that are older than a table, and `unknownNames` to drop the
/// rows of a table that the storage no longer has. A renamed table is both missing and unknown, so
/// its rows are lost if both are allowed.
public struct StorageDecodingOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: Int

  /// Creates options from bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A table or a collection of held IDs that is not encoded keeps the contents that `init()` of
  /// the storage gives it.
  public static let missingTables = Self(rawValue: 1)

  /// Names for which the storage has no part are ignored.
  public static let unknownNames = Self(rawValue: 2)
}

extension CodingUserInfoKey {
  /// The key of the `StorageDecodingOptions` in the `userInfo` of a decoder.
  public static let storageDecoding = CodingUserInfoKey(unfailing: "entia.storageDecoding")

  private init(unfailing name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("\(name) is no key")
    }
    self = key
  }
}

/// A visitor of all indexes as `RebuildableIndex`, to which every index conforms.
package protocol RebuildableIndexVisitor: StorageVisitor {
  /// Visits an index.
  mutating func rebuildableIndex<Index: RebuildableIndex>(
    _ name: String, _ path: PartPath<Contents, Index>)
}

extension RebuildableIndexVisitor {
  package mutating func index<Index: IndexType>(_ name: String, _ path: PartPath<Contents, Index>) {
    guard let type = Index.self as? any RebuildableIndex.Type else {
      preconditionFailure("\(Index.self) is none of Entia's indexes")
    }
    func visit<Rebuildable: RebuildableIndex>(_ type: Rebuildable.Type) {
      rebuildableIndex(name, recast(path, as: PartPath<Contents, Rebuildable>.self))
    }
    visit(type)
  }
}
