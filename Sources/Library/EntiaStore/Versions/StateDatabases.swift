import EntiaCollections
package import EntiaDatabase

/// All databases in a state, including those in nested properties.
package struct StateDatabases {
  /// The databases and the paths of their properties, in declaration order. If the state itself is
  /// a database, the path is empty.
  package private(set) var databases: [(path: String, database: any NormalizedStorageType)] = []
  /// Whether another value of the same type may have other databases, for example because one is
  /// optional.
  private(set) var canVary = false
  /// Whether a value is an optional database or a collection of databases.
  private(set) var hasVaryingDatabases = false

  /// Finds the databases in a state.
  /// - Complexity: O(*v* + *d*), where *v* is the number of stored values outside collections and
  ///   *d* is the number of databases.
  package init(of state: Any) {
    var pending: [(path: String, value: Any)] = [("", state)]
    while let (path, value) = pending.popLast() {
      if let database = value as? any NormalizedStorageType {
        databases.append((path, database))
        continue
      }
      let varying = type(of: value) as? any VaryingValue.Type
      if varying?.mayHaveDatabase ?? Self.isChoice(value) { canVary = true }
      if varying?.hasDatabases == true { hasVaryingDatabases = true }
      for part in Self.parts(of: value, at: path).reversed() { pending.append(part) }
    }
  }

  /// Returns whether a value is a case of an enum that may have payloads with databases.
  private static func isChoice(_ value: Any) -> Bool {
    func isPlain<Value>(_ value: Value) -> Bool { _isPOD(Value.self) }
    return !isPlain(value) && Mirror(reflecting: value).displayStyle == .enum
  }

  package subscript(path: String) -> (any NormalizedStorageType)? {
    databases.first { $0.path == path }?.database
  }

  /// Returns the parts of a value that may be or contain databases, with their paths. A collection
  /// may have any size, so its elements are parts only if they are databases. Objects to which the
  /// state refers are not parts.
  package static func parts(
    of value: Any, at path: String
  ) -> [(path: String, value: Any)] {
    func part(_ label: String, _ value: Any) -> (path: String, value: Any) {
      // An unnamed value of a tuple or an enum case has a label such as `.0`.
      let name = label.first == "." ? label.dropFirst() : label[...]
      return (path.isEmpty ? String(name) : "\(path).\(name)", value)
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.map { (path, $0.value) }
    case .struct, .tuple, .enum:
      return mirror.children.enumerated().map { part($1.label ?? "\($0)", $1.value) }
    case .collection where mirror.children.first?.value is any NormalizedStorageType:
      return mirror.children.enumerated().map { part("\($0)", $1.value) }
    case .dictionary:
      // An element is a tuple of a key and a value.
      guard let first = mirror.children.first.map({ entry(of: $0.value) }),
        first?.value is any NormalizedStorageType
      else { return [] }
      // A dictionary has no order.
      return mirror.children.compactMap { entry(of: $0.value).map { part($0.name, $0.value) } }
        .sorted { $0.path < $1.path }
    default: return []
    }
  }

  /// Returns the members of a state, in declaration order. A member that is not a database, but
  /// contains databases, is replaced by its own members. If the state cannot be divided into
  /// members, the result has one element: the state itself, with the path `state`.
  package static func members(of state: Any) -> [(path: String, value: Any)] {
    members(of: state, at: "")
  }

  private static func members(
    of value: Any, at path: String
  ) -> [(path: String, value: Any)] {
    let whole = [(path: path.isEmpty ? "state" : path, value: value)]
    if value is any NormalizedStorageType { return whole }
    let isState = path.isEmpty && Mirror(reflecting: value).displayStyle == .struct
    let parts = parts(of: value, at: path)
    guard !parts.isEmpty, isState || !StateDatabases(of: value).databases.isEmpty else {
      return whole
    }
    return parts.flatMap { members(of: $0.value, at: $0.path) }
  }

  private static func entry(of tuple: Any) -> (name: String, value: Any)? {
    let parts = Mirror(reflecting: tuple).children.map(\.value)
    return parts.count == 2 ? ("\(parts[0])", parts[1]) : nil
  }
}

/// A value whose number of parts may vary, such as an optional.
private protocol VaryingValue {
  /// Whether a part may be or contain a database.
  static var mayHaveDatabase: Bool { get }
  /// Whether the parts are databases.
  static var hasDatabases: Bool { get }
}

/// Returns whether a value of a type may be or contain a database.
private func mayHaveDatabase<Value>(_ type: Value.Type) -> Bool {
  (type as? any VaryingValue.Type)?.mayHaveDatabase
    ?? !(_isPOD(type) || type == String.self || type is any EntityType.Type)
}

extension Optional: VaryingValue {
  fileprivate static var mayHaveDatabase: Bool { EntiaStore.mayHaveDatabase(Wrapped.self) }
  fileprivate static var hasDatabases: Bool { Wrapped.self is any NormalizedStorageType.Type }
}

extension Array: VaryingValue {
  fileprivate static var mayHaveDatabase: Bool { hasDatabases }
  fileprivate static var hasDatabases: Bool { Element.self is any NormalizedStorageType.Type }
}

extension Dictionary: VaryingValue {
  fileprivate static var mayHaveDatabase: Bool { hasDatabases }
  fileprivate static var hasDatabases: Bool { Value.self is any NormalizedStorageType.Type }
}

extension Equality {
  /// Returns whether two values are equal, and also the ages and answers of received rows in their
  /// databases.
  static func areEqual(_ lhs: Value, _ rhs: Value) -> Bool where Value: Equatable {
    if !haveSameValue(lhs, rhs) { return false }
    if haveSameBits(lhs, rhs) || !mayHaveDatabase(Value.self) { return true }
    return StateDatabases(of: lhs).haveSameFreshness(StateDatabases(of: rhs))
  }

  /// Returns a comparison by `areEqual` that also compares the ages and answers of received rows in
  /// the databases of two values. The `==` of a database ignores ages and answers, but a change of
  /// only these must not be lost.
  ///
  /// The databases are searched when two equal values are compared for the first time. If none of
  /// them records ages or answers, and none is optional or in a collection, later comparisons skip
  /// the search until two values differ. The newer one may then have other databases.
  /// - Parameter isThorough: Whether each comparison searches the databases of values in which they
  ///   can vary, such as those with an optional structure. This is needed if the values that are
  ///   compared do not follow each other. Such a search takes tens of microseconds.
  static func withFreshness(
    _ areEqual: @escaping (Value, Value) -> Bool, isThorough: Bool
  ) -> (Value, Value) -> Bool {
    if !mayHaveDatabase(Value.self) { return areEqual }
    let search = Mutex<(hasFreshness: Bool?, canVary: Bool)>((nil, true))
    return { a, b in
      if !areEqual(a, b) {
        search.withLock { if $0.canVary { $0.hasFreshness = nil } }
        return false
      }
      if haveSameBits(a, b) { return true }
      if search.withLock({ $0.hasFreshness }) == false { return true }
      let databases = StateDatabases(of: a)
      let hasFreshness =
        databases.hasVaryingDatabases || isThorough && databases.canVary
        || databases.databases.contains(where: { $0.database.hasFreshness })
      search.withLock { $0 = (hasFreshness, databases.canVary) }
      return !hasFreshness || databases.haveSameFreshness(StateDatabases(of: b))
    }
  }
}

extension StateDatabases {
  fileprivate func haveSameFreshness(_ others: Self) -> Bool {
    func isSame<Database: NormalizedStorageType>(
      _ database: Database, _ other: (any NormalizedStorageType)?
    ) -> Bool { (other as? Database).map(database.hasSameFreshness) ?? false }
    return databases.allSatisfy { path, database in isSame(database, others[path]) }
  }
}
