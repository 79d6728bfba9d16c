/// Where something stands: a byte of an input, from which its path is found if it must be told.
struct Origin {
  /// The byte.
  let offset: Int
  private let shortFile: Int32
  /// Says whether the members stand in a member `fields` of what begins there, as in Django's rows.
  var hasFields: Bool

  init(file: Int, offset: Int, hasFields: Bool = false) {
    self.offset = offset
    shortFile = Int32(truncatingIfNeeded: file)
    self.hasFields = hasFields
  }

  /// The position of the input among the inputs; ``database`` for the database added to.
  var file: Int { Int(shortFile) }

  /// A row that was in the database before the import.
  static let database = Origin(file: -1, offset: 0)

  /// The steps from here to a member.
  func path(to name: String) -> [JSONPath.Step] {
    hasFields ? [.name("fields"), .name(name)] : [.name(name)]
  }
}
