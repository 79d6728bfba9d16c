import EntiaCoding

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
