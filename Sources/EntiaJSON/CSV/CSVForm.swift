/// How a column's fields become JSON.
enum CSVForm {
  /// As they are: numbers, `true` and `false`.
  case literal
  /// As they are if they are JSON's lists or objects, otherwise as strings.
  case nested
  case string
}
