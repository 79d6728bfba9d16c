/// Where something stands: a byte of an input, from which its path is found if it must be told.
@frozen
@usableFromInline
struct Origin {
  /// The byte.
  @usableFromInline let offset: Int
  @usableFromInline let shortFile: Int32
  /// Says whether the members stand in a member `fields` of what begins there, as in Django's rows.
  @usableFromInline var hasFields: Bool

  @usableFromInline
  init(file: Int, offset: Int, hasFields: Bool = false) {
    self.offset = offset
    shortFile = Int32(truncatingIfNeeded: file)
    self.hasFields = hasFields
  }

  /// The position of the input among the inputs; ``database`` for the database added to.
  var file: Int { Int(shortFile) }

  /// A row that was in the database before the import.
  @usableFromInline
  static var database: Origin { Origin(file: -1, offset: 0) }

  /// The steps from here to a member.
  func path(to name: String) -> [JSONPath.Step] {
    hasFields ? [.name("fields"), .name(name)] : [.name(name)]
  }
}
