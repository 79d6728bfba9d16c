/// The container that an encoder or a decoder of many rows created last, for the next row with the
/// same keys.
///
/// A container without state is the same for all rows, and creating one takes longer than a member.
struct ContainerCache {
  private var box: AnyObject?
  private var keys: ObjectIdentifier?

  /// Returns the container of a type of keys.
  /// - Parameters:
  ///   - keys: The type of the keys.
  ///   - make: Creates the container. All calls for one type of keys create the same type.
  @inline(__always)
  mutating func container<Key, Container>(
    keyedBy keys: Key.Type, _ make: () -> Container
  ) -> Container {
    if self.keys == ObjectIdentifier(keys), let box {
      return unsafeDowncast(box, to: ContainerBox<Container>.self).copy()
    }
    let container = make()
    box = ContainerBox(container)
    self.keys = ObjectIdentifier(keys)
    return container
  }
}

private final class ContainerBox<Container> {
  private let container: Container

  init(_ container: Container) { self.container = container }

  /// Returns the container. The object knows its type, and a caller that copied the container
  /// itself would look the type up for each row.
  @inline(never)
  func copy() -> Container { container }
}
