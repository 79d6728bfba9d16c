public import EntiaCoding
public import EntiaDatabase
public import Foundation

/// Options of an import of entities of Swift types.
public struct TypedImportOptions: Sendable {
  /// The spelling of property names.
  public var keys: KeySpelling
  /// The format of dates; `nil` reads ISO 8601 and refuses numbers, because their unit is unknown.
  public var dates: DateSpelling?
  /// The treatment of an entity that occurs again with different content, if ``merging`` has no
  /// policy for its type.
  ///
  /// If the value is `nil`, an import with merge policies or with a time of reception uses
  /// `.replace`. Such an import reads successive pages, and a later page has newer nested entities.
  /// Any other import uses `.error`.
  ///
  /// ``ConflictPolicy/merge`` is refused, because an entity always has all of its properties.
  /// Members that a later record lacks would overwrite the members of an earlier record.
  public var onConflict: ConflictPolicy?
  /// The merge policies for entities whose ID already exists, in the database or earlier in the
  /// inputs.
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
  var maximumDepth = 256
  /// The default values of missing members, by entity type and the string value of the coding key.
  var defaults: [ObjectIdentifier: [String: any Sendable]] = [:]
  /// The time at which the records were received.
  var receivedAt: Date?

  /// Creates options.
  /// - Parameters:
  ///   - keys: The spelling of property names.
  ///   - dates: The format of dates; `nil` reads ISO 8601 and refuses numbers.
  ///   - onConflict: The treatment of an entity that occurs again with different content; `nil` is
  ///     `.replace` or `.error`, as described at ``TypedImportOptions/onConflict``.
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
  ///   - key: The string value of the property's coding key. It is the name of the property, unless
  ///     the entity declares another key.
  ///   - entity: The entity that has the property.
  public mutating func setDefault<Value: Sendable, Entity: EntityType>(
    _ value: Value, for key: String, of entity: Entity.Type
  ) {
    defaults[ObjectIdentifier(entity), default: [:]][key] = value
  }
}

/// The format of dates in JSON.
public enum DateSpelling: Sendable {
  /// The `Codable` format of `Date`: seconds since 2001, as a number. Servers rarely send it.
  case plain
  /// Seconds since 1970, as a number.
  ///
  /// Conversion between 1970 and 2001 rounds the fraction of a second. The error of a decoded date
  /// is up to a microsecond until the year 2200, and up to 30 microseconds near the year 9999.
  case secondsSince1970
  /// Milliseconds since 1970, as a number; rounded as in ``secondsSince1970``.
  case millisecondsSince1970
  /// Text such as `2026-11-21T15:30:00Z`, with the fraction of the second if there is one, such as
  /// `2026-11-21T15:30:00.25Z`. An exported date is decoded as the same date.
  ///
  /// The zone may also be `+02:00`, `+0200` or `+02`. The calendar is Gregorian, from the year 1 to
  /// the year 9999 in UTC, and a date or a time of the day that does not exist is an error.
  case iso8601
  /// The format of a formatter; components that the format omits are lost.
  case formatted(DateFormatter)
  /// A custom format, read and written by functions that receive the coder of the value.
  case custom(
    decoding: @Sendable (any Decoder) throws -> Date,
    encoding: @Sendable (Date, any Encoder) throws -> Void)
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// The number of bytes read, of all inputs.
  public let bytes: Int
  /// The number of records read; each occurrence is counted.
  public let records: Int

  package init(bytes: Int, records: Int) {
    self.bytes = bytes
    self.records = records
  }
}

/// The spelling of property names in JSON. The keys of dictionaries are data, and keep their
/// spelling even if a key is an ID that consists of several properties.
public enum KeySpelling: Sendable {
  /// The unchanged names.
  case same
  /// Snake case: `authorID` is `author_id` in JSON, and `isDone` is `is_done`.
  ///
  /// An import ignores differences in underscores and case.
  case snakeCase
  /// Kebab case: `authorID` is `author-id` in JSON, and `isDone` is `is-done`.
  ///
  /// An import ignores differences in hyphens and case.
  case kebabCase
  /// A custom spelling by a function.
  ///
  /// The function returns a property's name in JSON from the string value of its coding key. It
  /// must always return the same name for the same property.
  case custom(@Sendable (_ property: String) -> String)

  /// The separator of words, which an import ignores; nil if the spelling has no fixed separator.
  var separator: UInt8? {
    switch self {
    case .snakeCase: UInt8(ascii: "_")
    case .kebabCase: UInt8(ascii: "-")
    case .same, .custom: nil
    }
  }

  /// Returns the spelling of a name in an export.
  func spelled(_ name: String) -> String {
    switch self {
    case .same: name
    case .snakeCase: Self.separated(name, by: "_")
    case .kebabCase: Self.separated(name, by: "-")
    case .custom(let spell): spell(name)
    }
  }

  /// Returns a name with separated words: `authorID` is `author_id`, and `urlOfPage` is
  /// `url_of_page`.
  private static func separated(_ name: String, by separator: Character) -> String {
    let characters = Array(name)
    var spelled = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let follows = characters[index - 1]
        let precedes = index + 1 < characters.count ? characters[index + 1] : nil
        // An uppercase letter begins a word if the character before it is not uppercase. The last
        // of several uppercase letters also begins a word if a lowercase letter follows, except for
        // the plural of an acronym, as in `bookIDs`.
        let isPlural = precedes == "s" && index + 2 == characters.count
        let endsRun = precedes?.isLowercase == true && !isPlural
        if follows != separator, !follows.isUppercase || endsRun { spelled.append(separator) }
      }
      spelled.append(contentsOf: character.lowercased())
    }
    return spelled
  }
}

/// The types of properties that refer to entities.
protocol ReferenceType {}

extension EntityIdentifier: ReferenceType {}
extension Optional: ReferenceType where Wrapped: ReferenceType {}
extension Array: ReferenceType where Element: ReferenceType {}
extension Set: ReferenceType where Element: ReferenceType {}

/// The merge policies of an import, by entity type. A policy merges an imported entity with the
/// existing entity that has its ID.
///
/// ```swift
/// try blog.importJSON(
///   page, of: Post.self, merging: .keeping(\.isRead), MergePolicy<Author>.fillingMissing(\.bio))
/// ```
///
/// An entity type without a policy here uses its own policy if it is a `MergingEntityType`. For any
/// other type without a policy, ``TypedImportOptions/onConflict`` applies. If `onConflict` is `nil`
/// and the import has policies, the later content of the entity replaces the earlier content.
public struct MergePolicies: Sendable {
  private var policies: [ObjectIdentifier: any Sendable] = [:]

  fileprivate var isEmpty: Bool { policies.isEmpty }

  /// Creates policies.
  /// - Parameter policies: The policies, at most one for each entity type.
  public init<each Entity: EntityType>(_ policies: repeat MergePolicy<each Entity>) {
    for policy in repeat each policies { set(policy) }
  }

  fileprivate mutating func set<Entity: EntityType>(_ policy: MergePolicy<Entity>) {
    self[Entity.self] = policy
  }

  /// The policy of an entity type, or `nil` if it has none here.
  public subscript<Entity: EntityType>(_ type: Entity.Type) -> MergePolicy<Entity>? {
    get { policies[ObjectIdentifier(type)] as? MergePolicy<Entity> }
    set { policies[ObjectIdentifier(type)] = newValue }
  }

  /// Returns the policy for an entity type in this value. If there is none, returns the type's
  /// `mergePolicy`, or `nil` if the type is not a `MergingEntityType`.
  @usableFromInline
  func policy<Entity: EntityType>(of type: Entity.Type) -> MergePolicy<Entity>? {
    if let policy = self[type] { return policy }
    func own<Same: MergingEntityType>(_ type: Same.Type) -> Any { Same.mergePolicy }
    guard let type = type as? any MergingEntityType.Type else { return nil }
    return own(type) as? MergePolicy<Entity>
  }
}

extension TypedImportOptions {
  /// The treatment of conflicts of entities without a policy.
  var conflictPolicy: ConflictPolicy {
    onConflict ?? (receivedAt == nil && merging.isEmpty ? .error : .replace)
  }

  /// Returns the options with additional policies, which replace those of the same types.
  @usableFromInline
  func merging<each Entity: EntityType>(_ policies: repeat MergePolicy<each Entity>) -> Self {
    var options = self
    for policy in repeat each policies { options.merging.set(policy) }
    return options
  }
}

/// The treatment of a row that occurs again with other content.
///
/// An import without Swift types compares the members that both records have: if these are equal,
/// the records are combined under every policy. A typed import compares whole entities.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// The import fails, and nothing is imported.
  case error
  /// The later content replaces the earlier one, and members that it lacks are removed.
  case replace
  /// The earlier content is kept; the later occurrence counts as unchanged.
  case keep
  /// The later value of each member is used.
  case merge
}
