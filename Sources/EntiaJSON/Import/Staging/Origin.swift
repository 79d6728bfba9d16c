/// Where something stands: a byte of an input, from which its path is found if it must be told.
struct Origin {
  /// The position of the input among the inputs; ``database`` for the database added to.
  let file: Int
  /// The byte.
  let offset: Int
  /// Says whether the members stand in a member `fields` of what begins there, as in Django's rows.
  var hasFields = false

  /// A row that was in the database before the import.
  static let database = Origin(file: -1, offset: 0)

  /// The steps from here to a member.
  func path(to name: String) -> [JSONPath.Step] {
    hasFields ? [.name("fields"), .name(name)] : [.name(name)]
  }
}
