extension ToOne {
  /// Returns the relationship with limits of how many holders may name one entity. A batch at whose end
  /// fewer or more name an entity that it inserted, or whose holders it changed, is refused.
  ///
  /// ```swift
  /// @Relationship var playerTeam: ToOne<Player, Team>
  ///   = .init(\.teamID, onDelete: .cascade).holders(.atMost(11))
  /// ```
  ///
  /// The limits concern entities that are there: a key that leads nowhere is not counted.
  /// - Parameter limits: How many holders may name one entity.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.holderLimits = limits
    return copy
  }
}

extension ToMany {
  /// Returns the relationship with limits of how many holders may name one entity. A batch at whose end
  /// fewer or more name an entity that it inserted, or whose holders it changed, is refused.
  ///
  /// A holder whose list names an entity more than once counts once. The limits concern entities that
  /// are there: a key that leads nowhere is not counted.
  /// - Parameter limits: How many holders may name one entity.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.holderLimits = limits
    return copy
  }
}
