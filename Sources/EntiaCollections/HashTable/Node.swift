// Every unsafe step of the persistent table's ownership is in this file and in the three node files
// next to it (`Page`, `Spine`, `IndexNode`).
//
// Nodes are tail-allocated objects referenced by raw pointers, so that following a path retains
// nothing: an atomic retain of an object that is not cached costs more than the rest of a lookup.
// Each stored pointer owns one reference, which is retained and released by hand. This is sound
// because
// - a node is changed only while one reference to it exists and the whole path above it is unique,
//   so no other table, on any thread, can be reading it;
// - a node's `deinit` releases exactly the references it owns;
// - a traversal starts from a root that the table value keeps alive for its duration.

/// A node referenced by its address. The storage of such a pointer owns one reference.
@usableFromInline typealias NodePointer = UnsafeMutableRawPointer

@inlinable
@inline(__always)
func retainNode(_ node: NodePointer) {
  _ = Unmanaged<AnyObject>.fromOpaque(node).retain()
}

@inlinable
@inline(__always)
func releaseNode(_ node: NodePointer) {
  Unmanaged<AnyObject>.fromOpaque(node).release()
}

@inlinable
@inline(__always)
func isUniqueNode(_ node: NodePointer) -> Bool {
  // An address and an optional strong reference have the same representation. The word is only
  // inspected, never retained or released. It is rebound to the optional type, because for
  // `AnyObject` without `?` the check always returns "shared" in builds without optimization.
  var reference: NodePointer? = node
  return withUnsafeMutablePointer(to: &reference) {
    $0.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
      isKnownUniquelyReferenced(&$0.pointee)
    }
  }
}

/// Returns the address of a new object and takes ownership of its only reference.
///
/// An allocating function that is not inlined returns the object, and its caller this address. If
/// it returned the address itself, the optimizer would consider the call free of effects, and would
/// use one node for two calls or for every iteration of a loop.
@inlinable
@inline(__always)
func owned(_ object: AnyObject) -> NodePointer { Unmanaged.passRetained(object).toOpaque() }

/// Returns the address of an object that another reference keeps alive.
@inlinable
@inline(__always)
func borrowed(_ object: AnyObject) -> NodePointer { Unmanaged.passUnretained(object).toOpaque() }
