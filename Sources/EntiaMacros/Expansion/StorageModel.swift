/// A storage, as its declaration describes it.
struct StorageModel: Equatable, Sendable {
  /// The parts and the `#if` blocks around them, in the order they are written.
  var parts: [StoragePart] = []
  /// The modifier that what is generated needs to be as visible as the struct; nil for internal.
  var access: String?
  /// Whether inlinable code can be written for the struct.
  var allowsInlinable = false
  /// Whether a table is written so that it cannot be kept, which has been reported.
  var hasRefusedTable = false
  /// Whether the struct declares itself what a batch can be refused with.
  var declaresRefusal = false
  /// Whether the struct has a `finalizeTransaction` that throws errors of any type.
  var finalizeThrows = false
  var declaresInitializer = false
  /// Whether one of the initializers has no parameters.
  var declaresEmptyInitializer = false
}

/// A property of the storage, or several under a condition.
indirect enum StoragePart: Equatable, Sendable {
  case property(StorageProperty)
  case conditional([StorageClause])
}

/// `#if`, `#elseif` or `#else` and the parts that follow.
struct StorageClause: Equatable, Sendable {
  /// The directive with its condition.
  var directive: String
  var parts: [StoragePart]
}

/// A table, an index, a relationship or a check.
struct StorageProperty: Equatable, Sendable {
  var marker: Marker
  /// The name as written, in backticks where it needs them.
  var name: String
  /// The type as written; nil for an index whose initial value has it.
  var type: String?
  var value: String
  /// The modifier of access that is written before the property.
  var access: String?
  /// Where the property stands, for messages of the compiler; nil when that is unknown.
  var line: SourceLine?
  /// Whether this is a second table of an entity type, which has been reported.
  var isSecondTable = false
}

extension StorageModel {
  /// All properties, whatever their conditions.
  var properties: [StorageProperty] {
    parts.flatMap(\.properties)
  }
}

extension StoragePart {
  fileprivate var properties: [StorageProperty] {
    switch self {
    case .property(let property): [property]
    case .conditional(let clauses): clauses.flatMap { $0.parts.flatMap(\.properties) }
    }
  }
}
