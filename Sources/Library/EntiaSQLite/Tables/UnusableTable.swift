/// A table in the file that cannot contain the rows of a part.
struct UnusableTable: Error {
  let table: String
  let reason: String
}
