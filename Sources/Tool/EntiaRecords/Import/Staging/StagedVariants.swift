import EntiaCoding

/// A relationship that refers to rows of several entities, which the objects' types distinguish.
struct StagedVariants {
  let typeName: ExactString
  /// The positions of the entities, by type.
  let positions: [ExactString: Int]
  /// The entity of the first type, used if the type is unknown.
  let first: Int
  let types: [String]

  init(_ relationship: Schema.Relationship, _ typeName: String, _ position: (String) -> Int) {
    self.typeName = ExactString(typeName)
    types = relationship.variants.map(\.type)
    let pairs = relationship.variants.map { (ExactString($0.type), position($0.entity)) }
    positions = Dictionary(pairs, uniquingKeysWith: { $1 })
    first = pairs.first?.1 ?? 0
  }
}
