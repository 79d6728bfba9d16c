// For two or three fields, each field is passed as a key path, or as a `SortPart` with a direction.
// For four fields, all are passed as key paths, or all as `SortPart`s. Each combination has its own
// initializer, because the compiler infers the root type of a key path literal only where the
// parameter is a key path. The key of an index by one field has the field's type.

extension Indexes.Sorted {
  /// Creates an index by a field.
  ///
  /// The type is inferred from the field:
  ///
  /// ```swift
  /// @Index var byYear = Indexes.Sorted(by: \Book.year)
  ///
  /// library.byYear.ids(in: 1960..<1970)
  /// ```
  /// - Parameters:
  ///   - key: The field, lesser values first.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    by key: any KeyPath<Entity, Key> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(key, where: condition) }

  /// Creates an index by an optional field; entities whose field is `nil` are left out.
  /// - Parameters:
  ///   - key: The field, lesser values first.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    by key: any KeyPath<Entity, Key?> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) { self.init(key, where: condition) }

  /// Creates an index by a field with its direction.
  ///
  /// ```swift
  /// @Index var latest = Indexes.Sorted(by: .descending(\Post.date))
  /// ```
  /// - Parameters:
  ///   - key: The field, with its direction.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init(
    by key: SortPart<Entity, Key>, where condition: (@Sendable (Entity) -> Bool)? = nil
  ) {
    keyReader = IndexKeyReader(fields: [key.field], condition: condition) { key.read($0) }
  }
}

extension Indexes.Sorted {
  /// Creates an index by two fields.
  ///
  /// ```swift
  /// @Index var byAuthor = Indexes.Sorted(by: \Book.authorID, \.year)
  /// ```
  /// - Parameters:
  ///   - first: The most significant field, lesser values first.
  ///   - second: The second field, lesser values first.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: any KeyPath<Entity, Second> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, Second> {
    self.init(by: .ascending(first), .ascending(second), where: condition)
  }

  /// Creates an index by two fields, the second with its direction.
  ///
  /// ```swift
  /// @Index var feed = Indexes.Sorted(by: \Post.authorID, .descending(\.date))
  /// ```
  public init<First, Second>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: SortPart<Entity, Second>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, Second> {
    self.init(by: .ascending(first), second, where: condition)
  }

  /// Creates an index by two fields, the first with its direction.
  public init<First, Second>(
    by first: SortPart<Entity, First>,
    _ second: any KeyPath<Entity, Second> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, Second> {
    self.init(by: first, .ascending(second), where: condition)
  }

  /// Creates an index by two fields.
  ///
  /// ```swift
  /// @Index var latest = Indexes.Sorted(by: .descending(\Post.date), .ascending(\.title))
  /// ```
  /// - Parameters:
  ///   - first: The most significant field, with its direction.
  ///   - second: The second field, with its direction.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second>(
    by first: SortPart<Entity, First>,
    _ second: SortPart<Entity, Second>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, Second> {
    keyReader = IndexKeyReader(fields: [first.field, second.field], condition: condition) {
      entity in
      SortKeys(first.read(entity), second.read(entity))
    }
  }
}

extension Indexes.Sorted {
  /// Creates an index by three fields.
  /// - Parameters:
  ///   - first: The most significant field, lesser values first.
  ///   - second: The second field, lesser values first.
  ///   - third: The third field, lesser values first.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second, Third>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: any KeyPath<Entity, Second> & Sendable,
    _ third: any KeyPath<Entity, Third> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: .ascending(first), .ascending(second), .ascending(third), where: condition)
  }

  /// Creates an index by three fields, the third with its direction.
  ///
  /// ```swift
  /// @Index var feed = Indexes.Sorted(by: \Post.blogID, \.authorID, .descending(\.date))
  /// ```
  public init<First, Second, Third>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: any KeyPath<Entity, Second> & Sendable,
    _ third: SortPart<Entity, Third>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: .ascending(first), .ascending(second), third, where: condition)
  }

  /// Creates an index by three fields, the second with its direction.
  public init<First, Second, Third>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: SortPart<Entity, Second>,
    _ third: any KeyPath<Entity, Third> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: .ascending(first), second, .ascending(third), where: condition)
  }

  /// Creates an index by three fields, the first with its direction.
  public init<First, Second, Third>(
    by first: SortPart<Entity, First>,
    _ second: any KeyPath<Entity, Second> & Sendable,
    _ third: any KeyPath<Entity, Third> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: first, .ascending(second), .ascending(third), where: condition)
  }

  /// Creates an index by three fields, the second and third with their directions.
  public init<First, Second, Third>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: SortPart<Entity, Second>,
    _ third: SortPart<Entity, Third>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: .ascending(first), second, third, where: condition)
  }

  /// Creates an index by three fields, the first and third with their directions.
  public init<First, Second, Third>(
    by first: SortPart<Entity, First>,
    _ second: any KeyPath<Entity, Second> & Sendable,
    _ third: SortPart<Entity, Third>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: first, .ascending(second), third, where: condition)
  }

  /// Creates an index by three fields, the first and second with their directions.
  public init<First, Second, Third>(
    by first: SortPart<Entity, First>,
    _ second: SortPart<Entity, Second>,
    _ third: any KeyPath<Entity, Third> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    self.init(by: first, second, .ascending(third), where: condition)
  }

  /// Creates an index by three fields.
  /// - Parameters:
  ///   - first: The most significant field, with its direction.
  ///   - second: The second field, with its direction.
  ///   - third: The third field, with its direction.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second, Third>(
    by first: SortPart<Entity, First>,
    _ second: SortPart<Entity, Second>,
    _ third: SortPart<Entity, Third>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, Third>> {
    keyReader = IndexKeyReader(
      fields: [first.field, second.field, third.field], condition: condition
    ) { entity in
      SortKeys(first.read(entity), second.read(entity), third.read(entity))
    }
  }
}

extension Indexes.Sorted {
  /// Creates an index by four fields.
  /// - Parameters:
  ///   - first: The most significant field, lesser values first.
  ///   - second: The second field, lesser values first.
  ///   - third: The third field, lesser values first.
  ///   - fourth: The fourth field, lesser values first.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second, Third, Fourth>(
    by first: any KeyPath<Entity, First> & Sendable,
    _ second: any KeyPath<Entity, Second> & Sendable,
    _ third: any KeyPath<Entity, Third> & Sendable,
    _ fourth: any KeyPath<Entity, Fourth> & Sendable,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, SortKeys<Third, Fourth>>> {
    self.init(
      by: .ascending(first), .ascending(second), .ascending(third), .ascending(fourth),
      where: condition)
  }

  /// Creates an index by four fields.
  /// - Parameters:
  ///   - first: The most significant field, with its direction.
  ///   - second: The second field, with its direction.
  ///   - third: The third field, with its direction.
  ///   - fourth: The fourth field, with its direction.
  ///   - condition: Returns whether to index an entity; `nil` to index all.
  public init<First, Second, Third, Fourth>(
    by first: SortPart<Entity, First>,
    _ second: SortPart<Entity, Second>,
    _ third: SortPart<Entity, Third>,
    _ fourth: SortPart<Entity, Fourth>,
    where condition: (@Sendable (Entity) -> Bool)? = nil
  ) where Key == SortKeys<First, SortKeys<Second, SortKeys<Third, Fourth>>> {
    keyReader = IndexKeyReader(
      fields: [first.field, second.field, third.field, fourth.field], condition: condition
    ) { entity in
      SortKeys(first.read(entity), second.read(entity), third.read(entity), fourth.read(entity))
    }
  }
}
