extension RelationshipType {
  /// Returns the violation by a holder that references fewer or more entities than allowed.
  func countViolation(_ name: String, by holder: Holder) -> BatchViolation? {
    let count = targetIDs(of: holder).count
    if countLimits.allow(count) { return nil }
    return .wrongCount(
      EntityLabel(holder.entityID), relationship: name, count: count, limits: countLimits)
  }

  /// Returns the violation by an entity that fewer or more holders reference than allowed.
  func holderCountViolation(_ name: String, by target: Target.EntityID) -> BatchViolation? {
    let count = holderCount(of: target)
    if holderLimits.allow(count) { return nil }
    return .wrongHolderCount(
      EntityLabel(target), relationship: name, count: count, limits: holderLimits)
  }
}
