/// How a row names another one: by its ID, or by standing around it.
enum Nesting {
  case ids
  case rows
}
