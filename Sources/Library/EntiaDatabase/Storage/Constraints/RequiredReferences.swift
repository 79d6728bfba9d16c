extension LinkedRelationship {
  /// Returns the relationship with the rule that its key must not dangle. A batch is refused if a
  /// key dangles at its end and the batch wrote the holder or removed the target.
  ///
  /// ```swift
  /// @Relationship var bookAuthor: ToOne<Book, Author>
  ///   = .init(\.authorID, onDelete: .cascade).required()
  /// ```
  ///
  /// An optional key may still be `nil`, and a list may be empty.
  public func required() -> Self {
    var copy = self
    copy.traits.isRequired = true
    return copy
  }

  /// Returns the relationship with limits of the number of holders that may reference one entity. A
  /// batch is refused if it inserts an entity, or changes its holders, and their number is outside
  /// the limits.
  ///
  /// ```swift
  /// @Relationship var playerTeam: ToOne<Player, Team>
  ///   = .init(\.teamID, onDelete: .cascade).holders(.atMost(11))
  /// ```
  ///
  /// A holder whose list contains an entity more than once counts once. The limits apply to
  /// existing entities; dangling references are not checked.
  /// - Parameter limits: The limits of the number of holders.
  /// - Returns: A copy with the limits.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.traits.holderLimits = limits
    return copy
  }
}

extension RelationshipType {
  /// Returns the violation if a holder references fewer or more entities than allowed.
  func countViolation(_ name: String, by holder: Holder) -> BatchViolation? {
    let count = targetIDs(of: holder).count
    if countLimits.allow(count) { return nil }
    return .wrongCount(
      EntityLabel(holder.entityID), relationship: name, count: count, limits: countLimits)
  }

  /// Returns the violation if fewer or more holders than allowed reference an entity.
  func holderCountViolation(_ name: String, by target: Target.EntityID) -> BatchViolation? {
    let count = holderCount(of: target)
    if holderLimits.allow(count) { return nil }
    return .wrongHolderCount(
      EntityLabel(target), relationship: name, count: count, limits: holderLimits)
  }
}
