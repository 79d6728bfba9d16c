extension ToOne {
  /// Returns the relationship with limits of the number of holders that may reference one entity. A
  /// batch is refused if fewer or more holders reference an entity that it inserted or whose
  /// holders it changed.
  ///
  /// ```swift
  /// @Relationship var playerTeam: ToOne<Player, Team>
  ///   = .init(\.teamID, onDelete: .cascade).holders(.atMost(11))
  /// ```
  ///
  /// The limits apply to existing entities; dangling references are not checked.
  /// - Parameter limits: The limits of the number of holders.
  /// - Returns: A copy with the limits.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.holderLimits = limits
    return copy
  }
}

extension ToMany {
  /// Returns the relationship with limits of the number of holders that may reference one entity. A
  /// batch is refused if fewer or more holders reference an entity that it inserted or whose
  /// holders it changed.
  ///
  /// A holder whose list contains an entity more than once counts once. The limits apply to
  /// existing entities; dangling references are not checked.
  /// - Parameter limits: The limits of the number of holders.
  /// - Returns: A copy with the limits.
  public func holders(_ limits: CountLimits) -> Self {
    var copy = self
    copy.holderLimits = limits
    return copy
  }
}
