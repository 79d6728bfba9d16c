public import EntiaCoding
import EntiaCollections
public import EntiaDatabase

/// The ID of a row among the rows of all entities.
///
/// An ID is one pointer to an object with an entity, a key and their hash. A row and all references
/// to it share the object.
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
  public static func == (lhs: RecordID, rhs: RecordID) -> Bool {
    lhs.node === rhs.node || lhs.node.isEqual(to: rhs.node)
  }

  /// Hashes the stored hash of the ID.
  public func hash(into hasher: inout Hasher) { hasher.combine(node.hash) }
}

/// Stores the ID of a row, which includes the hash.
public struct RecordIDStorage: EntityIDStorageType {
  /// The ID.
  public let raw: RecordID

  /// Creates the stored form of an ID.
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
  public static func < (lhs: RecordID, rhs: RecordID) -> Bool {
    lhs.entity.isExactly(rhs.entity)
      ? lhs.key < rhs.key : lhs.entity.precedesExactly(rhs.entity)
  }
}

extension RecordID: CustomStringConvertible {
  /// The entity and the key, such as `authors "a1"`.
  public var description: String { "\(entity.excerpt()) \(key)" }
}

/// The name of an entity, shared by all its IDs.
final class EntityName: Sendable {
  let string: String
  /// A well-mixed hash of the name; the seed is chosen once per process.
  let hash: UInt64

  init(_ string: String) {
    self.string = string
    var string = string
    hash = string.withUTF8 { ByteRange.hash(UnsafeRawBufferPointer($0)) }
  }
}

/// The content of an ID, shared by all references to the row.
final class RecordIDNode: Sendable {
  let entity: EntityName
  let key: RecordKey
  /// A well-mixed hash of the entity and the key; the seed is chosen once per process.
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

/// The stored value of one member.
public enum RecordValue: Hashable, Sendable {
  /// A value without references; also the `null` of an empty reference.
  case plain(JSONText)
  /// The row that a to-one relationship refers to.
  case reference(RecordID)
  /// The rows that a to-many relationship refers to, in order.
  case references([RecordID])

  /// The value `null`.
  static let null = RecordValue.plain(.null)

  /// The rows that the value refers to, in order.
  var targets: [RecordID] {
    switch self {
    case .plain: []
    case .reference(let id): [id]
    case .references(let ids): ids
    }
  }
}
