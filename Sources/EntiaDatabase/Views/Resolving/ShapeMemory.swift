/// The remembered values of one shape.
@usableFromInline
final class ShapeMemory<Shape: EntityShape> {
  @usableFromInline
  struct Entry {
    @usableFromInline let reading: Reading
    /// `nil` where the entity is missing.
    @usableFromInline let value: Shape?
    /// Whether it leads back to itself; such a one is not nested in others.
    let isCyclic: Bool
  }

  @usableFromInline var entries: [Shape.Entity.EntityID: Entry] = [:]
  /// The values that are being made now, by their places in the order of nesting.
  var open: [Shape.Entity.EntityID: Int] = [:]
}
