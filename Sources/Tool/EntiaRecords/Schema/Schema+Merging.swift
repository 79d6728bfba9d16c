import EntiaCoding

extension Schema {
  /// A contradiction between two schemas about one entity.
  struct Disagreement {
    /// The path in a schema to the contradicted part.
    let path: [JSONPath.Step]
    let message: String
  }

  /// Adds the content of another schema. Where the two contradict each other, this schema is kept.
  ///
  /// - Returns: The contradictions.
  mutating func merge(_ other: Schema) -> [Disagreement] {
    var disagreements: [Disagreement] = []
    for theirs in other.entities {
      guard var merged = entity(theirs.name) else {
        set(theirs)
        continue
      }
      let place: [JSONPath.Step] = [.name("entities"), .name(theirs.name)]
      if !merged.hasSameID(as: theirs) {
        disagreements.append(
          Disagreement(
            path: place + [.name("id")],
            message: "the ID of \(theirs.name.quoted) is \(theirs.idSentence) here and "
              + "\(merged.idSentence) in the schema so far"))
      }
      for (alias, member) in theirs.aliases {
        if let mine = merged.membersByAlias[ExactString(alias)], !mine.isExactly(member) {
          disagreements.append(
            Disagreement(
              path: place + [.name("aliases"), .name(alias)],
              message: "\(alias.quoted) of \(theirs.name.quoted) is \(member.quoted) here and "
                + "\(mine.quoted) in the schema so far"))
        } else {
          merged.membersByAlias[ExactString(alias)] = member
        }
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

extension Schema.Entity {
  /// Returns whether the rows of two entities have the same kind of ID.
  func hasSameID(as other: Self) -> Bool {
    takesIDFromParent == other.takesIDFromParent
      && idNames.map(ExactString.init) == other.idNames.map(ExactString.init)
  }

  /// The description of the ID in messages.
  var idSentence: String {
    idNames.map(\.quoted).joined(separator: " and ")
      + (takesIDFromParent ? " or taken from the parent" : "")
  }
}
