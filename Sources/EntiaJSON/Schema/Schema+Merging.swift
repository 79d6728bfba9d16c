extension Schema {
  /// Two schemas that say different things of one entity.
  struct Disagreement {
    /// The steps from a schema to what the other contradicts.
    let path: [JSONPath.Step]
    let message: String
  }

  /// Adds what another schema says; where the two contradict each other, this one stays.
  ///
  /// - Returns: where they contradict each other.
  mutating func merge(_ other: Schema) -> [Disagreement] {
    var disagreements: [Disagreement] = []
    for theirs in other.entities {
      guard var merged = entity(theirs.name) else {
        set(theirs)
        continue
      }
      let place: [JSONPath.Step] = [.name("entities"), .name(theirs.name)]
      if !merged.idName.isExactly(theirs.idName) {
        disagreements.append(
          Disagreement(
            path: place + [.name("id")],
            message: "the ID of \(theirs.name.quoted) is \(theirs.idName.quoted) here and "
              + "\(merged.idName.quoted) in the schema so far"))
      }
      for relationship in theirs.relationships {
        let mine = merged.byName[ExactString(relationship.name)]
        if let mine, mine != relationship {
          disagreements.append(
            Disagreement(
              path: place + [.name("relationships"), .name(relationship.name)],
              message: "\(relationship.name.quoted) of \(theirs.name.quoted) is "
                + "\(relationship.sentence) here and \(mine.sentence) in the schema so far"))
        } else {
          merged.byName[ExactString(relationship.name)] = relationship
        }
      }
      set(merged)
    }
    return disagreements
  }
}

extension Schema.Relationship {
  /// What messages call the relationship.
  fileprivate var sentence: String { "to \(isMany ? "many" : "one") of \(target.quoted)" }

  /// Says whether two relationships have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.isMany == right.isMany && left.name.isExactly(right.name)
      && left.target.isExactly(right.target)
  }
}
