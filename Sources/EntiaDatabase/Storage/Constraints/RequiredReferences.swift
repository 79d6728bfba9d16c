extension RelationshipType {
  /// `false`: a key may lead nowhere.
  public var isRequired: Bool { false }
}

extension ToOne {
  /// Returns the relationship with the rule that whatever its key names must be there: a batch at
  /// whose end a holder that it wrote, or whose target it removed, names what is not there is refused.
  ///
  /// ```swift
  /// @Relationship var bookAuthor: ToOne<Book, Author>
  ///   = .init(\.authorID, onDelete: .cascade).required()
  /// ```
  ///
  /// An optional key may still be `nil`.
  public func required() -> Self {
    var copy = self
    copy.isRequired = true
    return copy
  }
}

extension ToMany {
  /// Returns the relationship with the rule that whatever its list names must be there: a batch at
  /// whose end a holder that it wrote, or whose target it removed, names what is not there is refused.
  ///
  /// A list may still be empty.
  public func required() -> Self {
    var copy = self
    copy.isRequired = true
    return copy
  }
}
