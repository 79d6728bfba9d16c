/// A record of the steps of a removal.
final class DeletionRecord {
  var removals: [DeletionRemoval] = []
  var nullifications: [DeletionNullification] = []

  func removed<Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, _ cause: @autoclosure () -> DeletionCause
  ) {
    removals.append(DeletionRemoval(entity: EntityLabel(id), cause: cause()))
  }

  func nullified<Holder: EntityType, Target: EntityType>(
    _ holder: EntityIdentifier<Holder>, _ name: String, _ targets: [EntityIdentifier<Target>]
  ) {
    nullifications.append(
      DeletionNullification(
        holder: EntityLabel(holder), relationship: name, targets: targets.map(EntityLabel.init)))
  }
}
