/// The name of an entity, which all its IDs share.
final class EntityName: Sendable {
  let string: String
  /// Well-mixed bits of the name, seeded once a process.
  let hash: UInt64

  init(_ string: String) {
    self.string = string
    var string = string
    hash = string.withUTF8 { ByteRange.hash(UnsafeRawBufferPointer($0)) }
  }
}
