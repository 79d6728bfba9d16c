import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Reports natural keys that refer to rows whose IDs are not taken from their fields, as in a
  /// dump with `--natural-foreign` but without `--natural-primary`. Such a key does not identify a
  /// row.
  ///
  /// - Returns: Whether there are none.
  func checkNaturalKeys() -> Bool {
    var areValid = true
    for target in stage.entities {
      for reference in target.naturalKeys where !isValid(reference, to: target) {
        areValid = false
        let holder = stage.entities[reference.entity]
        let rule =
          "is a natural key, and the rows of \(target.name) have "
          + "\(target.hasGivenKeys ? "their pk" : target.idName.string.quoted) as ID; dump without "
          + "--natural-foreign, or with --natural-primary and a schema that names the ID's fields"
        let field = holder.fieldNames[reference.field].string.quoted
        stage.problems.add(
          .typeMismatch, at: reference.origin, "\(field) of \(holder.name) \(rule)",
          cause: ImportProblem.Cause(entity: holder.name, "\(field) \(rule)"))
      }
    }
    return areValid
  }

  private func isValid(_ reference: NaturalKeyReference, to target: EntityStage) -> Bool {
    if target.hasGivenKeys { return false }
    // Django's default primary key is never a field of a row, so that a natural key cannot be its
    // value.
    return !target.hasID(named: "id")
      || stage.contains(target, target.rows[reference.row].id.key)
  }
}
