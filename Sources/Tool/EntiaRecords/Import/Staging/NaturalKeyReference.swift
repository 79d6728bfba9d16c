import EntiaJSON

/// A reference by a natural key of one value. It is valid only if the IDs of the referenced rows
/// are values of their fields, which is known when all records are read.
struct NaturalKeyReference {
  let origin: Origin
  /// The position of the entity of the row with the reference.
  let entity: Int
  let field: Int
  /// The position of the referenced row in its entity.
  let row: Int
}
