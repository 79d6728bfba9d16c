/// A storage, as its declaration describes it.
struct StorageModel: Equatable, Sendable {
  /// The parts and the `#if` blocks around them, in the order they are written.
  var parts: [StoragePart] = []
  /// The modifier that what is generated needs to be as visible as the struct; nil for internal.
  var access: String?
  /// Whether inlinable code can be written for the struct.
  var allowsInlinable = false
  /// Whether the struct says itself what a batch can be refused with.
  var declaresRefusal = false
  var declaresInitializer = false
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
  var type: String
  var value: String
  /// The modifier of access that is written before the property.
  var access: String?
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
