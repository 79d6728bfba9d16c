/// The form of a reference to another row: its ID, or the nested row.
enum Nesting {
  case ids
  case rows
}
