extension RelationshipType {
  /// `false`: a key may dangle.
  public var isRequired: Bool { false }
}

extension ToOne {
  /// Returns the relationship with the rule that the entity that its key references must exist. A
  /// batch is refused if a key dangles at its end and the batch wrote the holder or removed the
  /// target.
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
  /// Returns the relationship with the rule that the entities that its list references must
  /// exist. A batch is refused if a key dangles at its end and the batch wrote the holder or
  /// removed the target.
  ///
  /// A list may still be empty.
  public func required() -> Self {
    var copy = self
    copy.isRequired = true
    return copy
  }
}
