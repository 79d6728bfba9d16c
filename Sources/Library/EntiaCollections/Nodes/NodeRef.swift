// Every step of the ownership of nodes is in this file.
//
// Nodes are tail-allocated objects that are referenced by their addresses, so that following a path
// retains nothing. An atomic retain of an object that is not cached costs more than the rest of a
// lookup. Each stored address owns one reference, which is retained and released by hand. This is
// sound because
// - a node is changed only while one reference to it exists and the whole path above it is unique,
//   so no other version, on any thread, can be reading it;
// - a node's `deinit` releases exactly the references it owns;
// - a traversal starts from a root that the container keeps alive for its duration.

/// A class whose objects are the nodes of one kind. Each object stores a header and elements.
@usableFromInline
protocol NodeKind: AnyObject {
  associatedtype Header
  associatedtype Element
  /// Returns a new object whose elements are not initialized.
  static func allocate(capacity: Int, header: Header) -> Self
}

/// A kind of node that is copied as a whole.
@usableFromInline
protocol CopyableNodeKind: NodeKind {
  /// Returns a new object with the content of a node.
  static func duplicate(_ node: NodeRef<Self>) -> Self
}

/// The address of a node of one kind. Copying an address does not retain the node. An address that
/// a node stores owns one reference, which is retained and released by hand.
///
/// The operations on a kind of node are in an extension, in the file of that kind.
@frozen
@usableFromInline
struct NodeRef<Kind>: Equatable {
  @usableFromInline let address: UnsafeMutableRawPointer

  @inlinable
  @inline(__always)
  init(address: UnsafeMutableRawPointer) { self.address = address }

  @inlinable
  @inline(__always)
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.address == rhs.address }
}

/// The address of a node whose kind depends on its level.
@usableFromInline typealias AnyNode = NodeRef<AnyObject>

extension NodeRef where Kind: AnyObject {
  /// Takes ownership of a reference to an object.
  ///
  /// An allocating function that is not inlined returns the object, and its caller creates the
  /// address. If the function returned the address itself, the optimizer would consider the call
  /// free of effects, and would use one node for two calls or for every iteration of a loop.
  @inlinable
  @inline(__always)
  init(owning object: Kind) { address = Unmanaged.passRetained(object).toOpaque() }

  /// Creates a reference that does not retain the object. Another reference must keep the object
  /// alive.
  @inlinable
  @inline(__always)
  init(borrowing object: Kind) { address = Unmanaged.passUnretained(object).toOpaque() }

  /// Returns the object and passes the ownership of one reference to it.
  @inlinable
  @inline(__always)
  func takeObject() -> Kind { Unmanaged<Kind>.fromOpaque(address).takeRetainedValue() }
}

extension NodeRef {
  @inlinable
  @inline(__always)
  func retain() { _ = Unmanaged<AnyObject>.fromOpaque(address).retain() }

  @inlinable
  @inline(__always)
  func release() { Unmanaged<AnyObject>.fromOpaque(address).release() }

  /// Whether there is only one reference to the node.
  @inlinable
  @inline(__always)
  var isUnique: Bool {
    // An address and an optional strong reference have the same representation. The word is only
    // inspected, never retained or released. It is rebound to the optional type, because for
    // `AnyObject` without `?` the check always returns "shared" in builds without optimization.
    var reference: UnsafeMutableRawPointer? = address
    return withUnsafeMutablePointer(to: &reference) {
      $0.withMemoryRebound(to: AnyObject?.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// The second word of the object. It contains the reference counts, or the address of a separate
  /// record with the counts. Each record belongs to a single object, so nodes with equal words have
  /// equal counts. A node is therefore unique if its word equals the word of a root that was just
  /// found to be unique. This comparison takes a load instead of a call.
  ///
  /// The optimizer assumes that retaining and releasing do not change the word. A function must not
  /// load it twice if it retains or releases the node in between.
  @inlinable
  @inline(__always)
  var counts: UInt { address.load(fromByteOffset: MemoryLayout<UInt>.stride, as: UInt.self) }

  /// Returns a reference of the kind `Other` to this node. The node must be of this kind, which the
  /// caller derives from the node's level in the tree.
  @inlinable
  @inline(__always)
  func cast<Other>(to kind: NodeRef<Other>.Type = NodeRef<Other>.self) -> NodeRef<Other> {
    NodeRef<Other>(address: address)
  }

  /// The first word of the object, which is never 0. If a function loads this word of several nodes
  /// before it retains any of them, the processor fetches the nodes in parallel. Retaining is
  /// atomic, and would fetch one node after the other.
  @inlinable
  @inline(__always)
  var firstWord: UInt { address.load(as: UInt.self) }
}

extension NodeRef where Kind: NodeKind {
  /// Creates a node whose elements are not initialized. The caller owns its reference.
  @inlinable
  @inline(__always)
  static func make(capacity: Int, header: Kind.Header) -> Self {
    Self(owning: allocate(capacity: capacity, header: header))
  }

  @inlinable
  @inline(never)
  static func allocate(capacity: Int, header: Kind.Header) -> Kind {
    Kind.allocate(capacity: capacity, header: header)
  }

  @inlinable
  @inline(__always)
  var header: UnsafePointer<Kind.Header> {
    Unmanaged<ManagedBuffer<Kind.Header, Kind.Element>>.fromOpaque(address)
      ._withUnsafeGuaranteedRef { $0.withUnsafeMutablePointerToHeader { UnsafePointer($0) } }
  }

  @inlinable
  @inline(__always)
  var elements: UnsafePointer<Kind.Element> {
    Unmanaged<ManagedBuffer<Kind.Header, Kind.Element>>.fromOpaque(address)
      ._withUnsafeGuaranteedRef { $0.withUnsafeMutablePointerToElements { UnsafePointer($0) } }
  }

  /// The header of a unique node, for changing it.
  @inlinable
  @inline(__always)
  var mutableHeader: UnsafeMutablePointer<Kind.Header> {
    checkUnique()
    return UnsafeMutablePointer(mutating: header)
  }

  /// The elements of a unique node, for changing them.
  @inlinable
  @inline(__always)
  var mutableElements: UnsafeMutablePointer<Kind.Element> {
    checkUnique()
    return UnsafeMutablePointer(mutating: elements)
  }

  /// Stops a debug build if the node is shared, because another version may be reading it.
  @inlinable
  @inline(__always)
  func checkUnique() { assert(isUnique, "a shared node must not be changed") }
}

extension NodeRef where Kind: CopyableNodeKind {
  /// Returns a copy with one reference, which the caller owns.
  @inlinable
  @inline(__always)
  func copy() -> Self {
    TableWork.note(.nodeCopied)
    return Self(owning: Kind.duplicate(self))
  }
}

extension ManagedBuffer {
  @inlinable
  @inline(__always)
  static func allocate(capacity: Int, header: Header) -> Self {
    unsafeDowncast(create(minimumCapacity: capacity) { _ in header }, to: Self.self)
  }
}
