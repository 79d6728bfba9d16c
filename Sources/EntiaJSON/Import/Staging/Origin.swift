/// A position in an input, from which its path is found if it has to be reported.
@frozen
@usableFromInline
struct Origin {
  /// The offset in the input.
  @usableFromInline let offset: Int
  @usableFromInline let shortFile: Int32
  /// Whether the members are in a member `fields` of the object at the offset, as in Django's
  /// records.
  @usableFromInline var hasFields: Bool

  @usableFromInline
  init(file: Int, offset: Int, hasFields: Bool = false) {
    self.offset = offset
    shortFile = Int32(truncatingIfNeeded: file)
    self.hasFields = hasFields
  }

  /// The index of the input; -1 for ``database``.
  var file: Int { Int(shortFile) }

  /// The origin of rows that were in the database before the import.
  @usableFromInline
  static var database: Origin { Origin(file: -1, offset: 0) }

  /// Returns the steps from here to a member.
  func path(to name: String) -> [JSONPath.Step] {
    hasFields ? [.name("fields"), .name(name)] : [.name(name)]
  }
}
