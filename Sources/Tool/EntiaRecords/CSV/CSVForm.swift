/// The conversion of a column's fields to JSON.
enum CSVForm {
  /// Unchanged: numbers, `true` and `false`.
  case literal
  /// Unchanged if they are JSON arrays or objects, otherwise as strings.
  case nested
  case string
}
