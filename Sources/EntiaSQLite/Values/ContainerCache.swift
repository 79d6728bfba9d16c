/// The container that an encoder or a decoder of many rows created last, for the next row with the
/// same keys.
///
/// A container without state is the same for all rows, and creating one takes longer than a member.
/// It is in memory without a type, because looking up the type of an object that has it takes as long.
final class ContainerCache {
  @exclusivity(unchecked) private var place: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var keys: ObjectIdentifier?
  private var destroy: (UnsafeMutableRawPointer) -> Void = { _ in }

  deinit { removeContainer() }

  private func removeContainer() {
    if let place { destroy(place) }
    place = nil
  }

  /// Returns the container of a type of keys.
  /// - Parameters:
  ///   - keys: The type of the keys.
  ///   - make: Creates the container. All calls for one type of keys create the same type.
  @inline(__always)
  func container<Key, Container>(
    keyedBy keys: Key.Type, _ make: () -> Container
  ) -> Container {
    if self.keys == ObjectIdentifier(keys), let place {
      return place.assumingMemoryBound(to: Container.self).pointee
    }
    let container = make()
    removeContainer()
    let typed = UnsafeMutablePointer<Container>.allocate(capacity: 1)
    typed.initialize(to: container)
    place = UnsafeMutableRawPointer(typed)
    destroy = {
      let typed = $0.assumingMemoryBound(to: Container.self)
      typed.deinitialize(count: 1)
      typed.deallocate()
    }
    self.keys = ObjectIdentifier(keys)
    return container
  }
}
