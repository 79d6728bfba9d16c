/// The cached values of one shape.
@usableFromInline
final class ShapeCache<Shape: EntityShape> {
  @usableFromInline
  struct Entry {
    @usableFromInline let token: DependencyToken
    /// `nil` when the entity is missing.
    @usableFromInline let value: Shape?
    /// Whether the value's shape repeats below it. A cyclic value is not reused inside other
    /// values.
    let isCyclic: Bool
  }

  @usableFromInline var entries: [Shape.Entity.EntityID: Entry] = [:]
  /// The values that are being built, with their depth in the nesting.
  var open: [Shape.Entity.EntityID: Int] = [:]
}
