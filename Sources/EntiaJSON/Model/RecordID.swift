import EntiaCollections
public import EntiaDatabase

/// The ID of a row among the rows of all entities.
///
/// An ID is one pointer: all references to a row share the entity, the key and their hash with the
/// row.
public struct RecordID: Hashable, Sendable {
  let node: RecordIDNode

  init(_ node: RecordIDNode) { self.node = node }

  /// Creates an ID.
  public init(entity: String, key: RecordKey) {
    node = RecordIDNode(entity: EntityName(entity), key: key)
  }

  /// The name of the entity.
  public var entity: String { node.entity.string }

  /// The ID within the entity.
  public var key: RecordKey { node.key }

  /// Returns whether two IDs have the same bytes.
  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.node === right.node || left.node.isEqual(to: right.node)
  }

  /// Hashes the stored hash of the ID.
  public func hash(into hasher: inout Hasher) { hasher.combine(node.hash) }
}

/// The content of an ID, shared by all references to the row.
final class RecordIDNode: Sendable {
  let entity: EntityName
  let key: RecordKey
  /// A well-mixed hash of the entity and the key; the seed is chosen once a process.
  let hash: UInt64

  init(entity: EntityName, key: RecordKey, hash: UInt64) {
    self.entity = entity
    self.key = key
    self.hash = hash
  }

  convenience init(entity: EntityName, key: RecordKey) {
    var text = key.text
    let hash = text.withUTF8 { Self.hash(entity, isNumber: key.isNumber, $0) }
    self.init(entity: entity, key: key, hash: hash)
  }

  /// Returns the hash of the ID whose key has these bytes.
  static func hash(
    _ entity: EntityName, isNumber: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> UInt64 {
    ByteRange.hash(UnsafeRawBufferPointer(bytes), seed: isNumber ? ~entity.hash : entity.hash)
  }

  @inline(never)
  func isEqual(to other: RecordIDNode) -> Bool {
    hash == other.hash && key == other.key
      && (entity === other.entity || entity.string.isExactly(other.entity.string))
  }
}

/// Stores the ID of a row, which includes the hash.
public struct RecordIDStorage: EntityIDStorageType {
  /// The ID.
  public let raw: RecordID

  /// Creates a storage of an ID.
  public init(_ raw: RecordID) { self.raw = raw }

  /// Returns the hash, computed when the ID was created.
  public func tableHash(seed: UInt64) -> UInt64 { raw.node.hash }

  /// Returns the stored hash mixed with the seed.
  public func hashValue(seed: Int) -> Int {
    Int(
      truncatingIfNeeded: HashMixing.foldedProduct(
        raw.node.hash ^ UInt64(truncatingIfNeeded: seed), 0xE703_7ED1_A0B4_28DB))
  }
}

extension RecordID: Comparable {
  /// Orders IDs by entity, then by key.
  public static func < (left: RecordID, right: RecordID) -> Bool {
    left.entity.isExactly(right.entity)
      ? left.key < right.key : left.entity.precedesExactly(right.entity)
  }
}

extension RecordID: CustomStringConvertible {
  /// The entity and the key, such as `authors "a1"`.
  public var description: String { "\(entity.excerpt()) \(key)" }
}
