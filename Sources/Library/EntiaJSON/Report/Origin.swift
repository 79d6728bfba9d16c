package import EntiaCoding

/// A position in an input, from which its path is found if it has to be reported.
@frozen
@usableFromInline
package struct Origin {
  /// The offset in the input.
  @usableFromInline package let offset: Int
  /// The index of the input, and in the lowest bit `hasFields`: an import keeps an origin for each
  /// row.
  @usableFromInline package var fileAndFlag: Int32

  @usableFromInline
  package init(file: Int, offset: Int, hasFields: Bool = false) {
    self.offset = offset
    fileAndFlag = Int32(truncatingIfNeeded: file) &<< 1 | (hasFields ? 1 : 0)
  }

  /// Whether the members are in a member `fields` of the object at the offset, as in Django's
  /// records.
  package var hasFields: Bool {
    get { fileAndFlag & 1 != 0 }
    set { fileAndFlag = fileAndFlag & ~1 | (newValue ? 1 : 0) }
  }

  /// The index of the input; -1 for ``database``.
  package var file: Int { Int(fileAndFlag &>> 1) }

  /// The origin of rows that were in the database before the import.
  @usableFromInline
  package static var database: Origin { Origin(file: -1, offset: 0) }

  /// Returns the steps from here to a member.
  package func path(to name: String) -> [JSONPath.Step] {
    hasFields ? [.name("fields"), .name(name)] : [.name(name)]
  }
}
