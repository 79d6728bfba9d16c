import EntiaCoding

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
