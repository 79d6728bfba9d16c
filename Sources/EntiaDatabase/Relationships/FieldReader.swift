/// Reads a field of an entity that a key path names, as fast as the path allows.
///
/// A stored property is read at its offset, which costs a load; anything else goes through the key
/// path, about 25 ns a read. Resolved once, when a relationship is made.
@frozen
@usableFromInline
struct FieldReader<Root: Sendable, Value>: Sendable {
  @usableFromInline let path: any KeyPath<Root, Value> & Sendable
  @usableFromInline let offset: Int?

  @usableFromInline
  init(_ path: any KeyPath<Root, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<Root>.offset(of: path)
  }

  @inlinable
  @inline(__always)
  func read(_ root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    // `offset(of:)` is documented for exactly this: it is the place of a stored property's value of
    // this type inside the root.
    return withUnsafePointer(to: root) {
      (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }
}
