/// The cached values of one shape.
@usableFromInline
final class ShapeCache<Shape: EntityShape> {
  // An object, so that a look-up copies the value alone, and only once.
  @usableFromInline
  final class Entry {
    @usableFromInline let token: DependencyToken
    /// `nil` when the entity is missing.
    @usableFromInline let value: Shape?
    /// Whether the value's shape repeats below it. A cyclic value is not reused inside other
    /// values.
    let isCyclic: Bool

    init(token: DependencyToken, value: Shape?, isCyclic: Bool) {
      self.token = token
      self.value = value
      self.isCyclic = isCyclic
    }
  }

  @exclusivity(unchecked) @usableFromInline var entries: [Shape.Entity.EntityID: Entry] = [:]
  /// The values that are being built, with their depth in the nesting.
  var open: [Shape.Entity.EntityID: Int] = [:]
}
