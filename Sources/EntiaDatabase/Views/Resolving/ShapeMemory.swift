/// The remembered values of one shape.
final class ShapeMemory<Shape: EntityShape> {
  struct Entry {
    let reading: Reading
    /// `nil` where the entity is missing.
    let value: Shape?
    /// Whether it leads back to itself; such a one is not nested in others.
    let isCyclic: Bool
  }

  var entries: [Shape.Entity.EntityID: Entry] = [:]
  /// The values that are being made now, by their places in the order of nesting.
  var open: [Shape.Entity.EntityID: Int] = [:]
}
