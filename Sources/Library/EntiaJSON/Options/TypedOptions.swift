public import EntiaCoding
public import EntiaDatabase

/// Options of an import of entities of Swift types.
public struct TypedImportOptions: Sendable {
  /// The spelling of property names.
  public var keys: KeySpelling
  /// The format of dates; `nil` reads ISO 8601 and refuses numbers, because their unit is unknown.
  public var dates: DateSpelling?
  /// The treatment of an entity that occurs again with different content, if ``merging`` has no
  /// policy for its type. `nil` is `.replace` for an import with merge policies, because newer
  /// pages have newer nested entities, and otherwise `.error`. Because an entity always has all of
  /// its properties, ``ConflictPolicy/merge`` is refused: missing members of a record would
  /// overwrite those of an earlier one.
  public var onConflict: ConflictPolicy?
  /// The merge policies for entities with an existing entity that has their ID, in the database or
  /// earlier in the inputs.
  public var merging: MergePolicies
  /// Whether warnings also stop the import.
  public var strict: Bool
  /// The format of the inputs; `csv` is refused.
  public var format = ImportFormat.auto
  /// The entities of records by their type names, as in JSON:API resources, Django rows and GraphQL
  /// objects. Other type names are matched with the names of tables and entities, regardless of
  /// case, hyphens and underscores.
  public var typeNames: [String: any EntityType.Type] = [:]
  /// The path of the records in each input, such as `$.results`; nil for the whole input.
  public var at: JSONPath?
  /// The maximum depth of arrays and objects; every level uses stack space.
  public var maximumDepth = 256
  /// The default values of missing members, by entity type and the string value of the coding key.
  var defaults: [ObjectIdentifier: [String: any Sendable]] = [:]

  /// Creates options.
  /// - Parameters:
  ///   - keys: The spelling of property names.
  ///   - dates: The format of dates; `nil` reads ISO 8601 and refuses numbers.
  ///   - onConflict: The treatment of an entity that occurs again with different content; `nil` is
  ///     `.replace` for an import with merge policies, and otherwise `.error`.
  ///   - merging: The merge policies.
  ///   - strict: Whether warnings also stop the import.
  ///   - at: The path of the records in each input; nil for the whole input.
  public init(
    keys: KeySpelling = .same, dates: DateSpelling? = nil, onConflict: ConflictPolicy? = nil,
    merging: MergePolicies = MergePolicies(), strict: Bool = false, at: JSONPath? = nil
  ) {
    self.keys = keys
    self.dates = dates
    self.onConflict = onConflict
    self.merging = merging
    self.strict = strict
    self.at = at
  }

  /// Sets the default value of a property whose member is missing in a record. A member that is
  /// null is not missing.
  ///
  /// ```swift
  /// options.setDefault(false, for: "isRead", of: Post.self)
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value, which must have the type of the property.
  ///   - key: The string value of the property's coding key, which is its name unless the entity
  ///     declares another one.
  ///   - entity: The entity that has the property.
  public mutating func setDefault<Value: Sendable, Entity: EntityType>(
    _ value: Value, for key: String, of entity: Entity.Type
  ) {
    defaults[ObjectIdentifier(entity), default: [:]][key] = value
  }
}
