public import EntiaDatabase

/// How to import entities of Swift types.
public struct TypedImportOptions: Sendable {
  /// The spelling of names.
  public var keys: KeySpelling
  /// The spelling of dates.
  public var dates: DateSpelling
  /// What to do with an entity that is given again with different content, where no policy of
  /// ``merging`` is for its type. An entity of a type has all its properties, so that
  /// ``ConflictPolicy/merge`` is refused: what a record lacks would overwrite what an earlier one
  /// gave.
  public var onConflict: ConflictPolicy
  /// How entities are merged with those that have their IDs already, in the database or earlier in
  /// the inputs.
  public var merging: MergePolicies
  /// Says whether warnings stop the import too.
  public var strict: Bool
  /// The shape of the inputs. `csv` is refused.
  public var format = ImportFormat.auto
  /// The entities of records that call themselves by a name, as resources of JSON:API, rows of Django
  /// and objects of GraphQL do. A name that is not here is that of a table or an entity, whatever its
  /// case, hyphens and underscores.
  public var typeNames: [String: any EntityType.Type] = [:]
  /// Where in each input its records are, such as `$.results`; nil for the whole input.
  public var at: JSONPath?
  /// The levels of arrays and objects that are read: every level takes stack.
  public var maximumDepth = 256
  /// The values of members that records lack, by entity type and the string value of the coding key.
  var defaults: [ObjectIdentifier: [String: any Sendable]] = [:]

  /// Creates options.
  /// - Parameters:
  ///   - keys: The spelling of names.
  ///   - dates: The spelling of dates.
  ///   - onConflict: What to do with an entity that is given again with different content.
  ///   - merging: How entities are merged with those that have their IDs already.
  ///   - strict: Whether warnings stop the import too.
  ///   - at: Where in each input its records are; nil for the whole input.
  public init(
    keys: KeySpelling = .same, dates: DateSpelling = .plain, onConflict: ConflictPolicy = .error,
    merging: MergePolicies = MergePolicies(), strict: Bool = false, at: JSONPath? = nil
  ) {
    self.keys = keys
    self.dates = dates
    self.onConflict = onConflict
    self.merging = merging
    self.strict = strict
    self.at = at
  }

  /// Sets the value of a property whose member a record lacks. A member that is null is not missing.
  ///
  /// ```swift
  /// options.setDefault(false, for: "isRead", of: Post.self)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value, of the type of the property.
  ///   - key: The string value of the property's coding key, which is its name unless the entity
  ///     declares another one.
  ///   - entity: The entity that has the property.
  public mutating func setDefault<Value: Sendable, Entity: EntityType>(
    _ value: Value, for key: String, of entity: Entity.Type
  ) {
    defaults[ObjectIdentifier(entity), default: [:]][key] = value
  }
}
