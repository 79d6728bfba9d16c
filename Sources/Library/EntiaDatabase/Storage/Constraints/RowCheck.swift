/// A check that can be applied to one row.
protocol RowCheck<Checked>: CheckType {
  associatedtype Checked: EntityType
  func violation(name: String, of entity: Checked) -> BatchViolation?
}

extension Checks.Entity: RowCheck {}
