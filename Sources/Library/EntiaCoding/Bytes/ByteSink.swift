/// Growing bytes, to which JSON text is appended.
@usableFromInline
package protocol ByteSink: ~Copyable {
  mutating func append(_ byte: UInt8)
  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>)
}

extension [UInt8]: ByteSink {}
extension ScratchList: ByteSink where Element == UInt8 {}
