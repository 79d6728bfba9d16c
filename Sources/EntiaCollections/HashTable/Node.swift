// Every unsafe step of the persistent table's ownership is in this file and in the three node files
// beside it (`Page`, `Spine`, `IndexNode`).
//
// Nodes are tail-allocated objects held by raw pointers, so that walking a path retains nothing: an
// atomic retain of a cold object costs more than the rest of a lookup. Each stored pointer owns one
// reference, taken and given back by hand. This is sound because
// - a node is changed only while one reference to it exists and the whole path above it is unique,
//   so no other table, on any thread, can be reading it;
// - a node's `deinit` gives back exactly the references it holds;
// - a walk starts from a root that the table value keeps alive for the walk's duration.

/// A node held by its address; who stores it owns one reference.
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
  // An address and an optional strong reference are one and the same word; it is only looked at,
  // never retained or released. The optional form, because the other one always answers "shared"
  // for `AnyObject` in builds without optimization.
  var reference: NodePointer? = node
  return withUnsafeMutablePointer(to: &reference) {
    $0.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
      isKnownUniquelyReferenced(&$0.pointee)
    }
  }
}

/// Returns the address of a fresh object and takes over its one reference.
///
/// A function that allocates and is not inlined returns the object, and its caller this address: the
/// optimizer takes a call that returns an address for one without effects, and has one node do for
/// two calls, or for every turn of a loop.
@inlinable
@inline(__always)
func owned(_ object: AnyObject) -> NodePointer { Unmanaged.passRetained(object).toOpaque() }

/// Returns the address of an object that somebody else keeps alive.
@inlinable
@inline(__always)
func borrowed(_ object: AnyObject) -> NodePointer { Unmanaged.passUnretained(object).toOpaque() }
