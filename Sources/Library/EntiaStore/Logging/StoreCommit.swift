import EntiaCollections
import EntiaDatabase

/// A commit, as reported to a logger.
///
/// The changes are computed on demand, so that a logger that does not read them costs nothing.
public struct StoreCommit: Sendable, CustomStringConvertible {
  /// A part of the state that a commit changed.
  public struct Part: Equatable, Sendable, CustomStringConvertible {
    /// The path of the part in the state, such as `library` or `session.library`.
    public let name: String
    /// The number of changed rows and held IDs, or `nil` if the part is not a database.
    public let rows: Int?
    /// The changes of each table, one on each line; empty if the part is not a database.
    public let details: String

    /// The details of a database of which only ages and answers changed.
    fileprivate static let freshness = "ages and answers"

    /// The name of the part. For a database, the number of changed rows follows, or "ages and
    /// answers" if nothing else changed.
    public var description: String {
      guard let rows else { return name }
      if details == Self.freshness { return "\(name) (\(details))" }
      return "\(name) (\(rows == 1 ? "1 row" : "\(rows) rows"))"
    }
  }

  /// The name of the commit.
  public let name: String?
  /// The context of the commit.
  public let context: CommitContext
  /// The duration of the commit. It includes the wait for the commit lock, and the calls of
  /// observers by the committing thread.
  public let duration: Duration
  /// Whether the commit changed the state.
  public let isChanged: Bool
  private let find: @Sendable (_ listsRows: Bool) -> [Part]

  init<State: Sendable>(
    _ metadata: CommitMetadata, duration: Duration, isChanged: Bool, from old: StateVersion<State>,
    to new: StateVersion<State>
  ) {
    name = metadata.name
    context = metadata.context
    self.duration = duration
    self.isChanged = isChanged
    find = { Self.parts(from: old.value, to: new.value, listsRows: $0) }
  }

  /// The parts of the state that changed, in the order of their declaration.
  ///
  /// A part is a member of the state. If a member contains databases, as a struct or an array can,
  /// each database in the member is a separate part, and so is each of its other values. If a
  /// database appears, for example in an optional member, all its rows count as inserted. If it
  /// disappears, all its rows count as removed.
  ///
  /// - Complexity: O(changes) for databases, one comparison for each part that is not a database,
  ///   plus the number of stored values outside collections.
  public var parts: [Part] { isChanged ? find(false) : [] }

  /// The changed parts, with one line for each changed row in the details.
  package var partsWithRows: [Part] { isChanged ? find(true) : [] }

  /// The number of changed rows and held IDs of all databases.
  ///
  /// - Complexity: The same as ``parts``.
  package var changedRows: Int { parts.reduce(0) { $0 + ($1.rows ?? 0) } }

  /// The name, the duration and the changed parts, on one line.
  public var description: String {
    let what = isChanged ? parts.map(\.description).joined(separator: ", ") : "nothing changed"
    return "\(name?.onOneLine ?? "commit") in \(duration): \(what)"
  }

  private static func parts<State>(
    from old: State, to new: State, listsRows: Bool
  ) -> [Part] {
    let (former, members) = (StateDatabases.members(of: old), StateDatabases.members(of: new))
    let values = Dictionary(former.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
    let paths = Set(members.map(\.path))
    // A nested value without a database is one member. If a nested value contains a database, the
    // parts of the value are members instead. A commit may change whether a value contains a
    // database; only the parts are then reported, and not the value. A database is never divided
    // into parts. Its path can be the beginning of the path of another database only if both are in
    // one dictionary, for example under the keys `a` and `a.b`.
    func isReplaced(_ path: String, _ value: Any, by parts: some Sequence<String>) -> Bool {
      !(value is any NormalizedStorageType) && parts.contains { $0.hasPrefix(path + ".") }
    }
    let changed = members.compactMap { path, value in
      values[path] == nil && isReplaced(path, value, by: values.keys)
        ? nil : changes(path, from: values[path], to: value, listsRows)
    }
    let removed = former.filter {
      !paths.contains($0.path) && !isReplaced($0.path, $0.value, by: paths)
    }
    return changed + removed.compactMap { changes($0.path, from: $0.value, to: nil, listsRows) }
  }

  /// Returns the change of one part, or `nil` if it is unchanged. `old` or `new` is `nil` if the
  /// part does not exist before or after the commit.
  private static func changes(
    _ name: String, from old: Any?, to new: Any?, _ listsRows: Bool
  ) -> Part? {
    if let storage = new as? any NormalizedStorageType {
      return rows(name, from: old, to: storage, listsRows)
    }
    if let storage = old as? any NormalizedStorageType {
      return removal(name, of: storage, listsRows)
    }
    if let old, let new, areEqual(old, new) { return nil }
    return Part(name: name, rows: nil, details: "")
  }

  /// Returns whether two values are equal. Two values of one type that is not `Equatable` count as
  /// equal if they are the same object or have equal dumps.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool {
    if let value = new as? any Equatable { return isEqual(value, old) }
    guard type(of: old) == type(of: new) else { return false }
    if Mirror(reflecting: new).displayStyle == .class {
      return old as AnyObject === new as AnyObject
    }
    let texts = [old, new].map { value in
      var text = ""
      dump(value, to: &text)
      return text
    }
    return texts[0] == texts[1]
  }

  private static func rows<Storage: NormalizedStorageType>(
    _ name: String, from old: Any?, to new: Storage, _ listsRows: Bool
  ) -> Part? {
    guard let old = old as? Storage else { return part(name, new.allInserted, listsRows) }
    let changes = new.changes(since: old)
    if !changes.isEmpty { return part(name, changes, listsRows) }
    return new.hasIdenticalFreshness(old)
      ? nil : Part(name: name, rows: 0, details: Part.freshness)
  }

  /// Returns the change of a part that is a database before the commit and no database after it,
  /// such as an optional database that became `nil`.
  private static func removal<Storage: NormalizedStorageType>(
    _ name: String, of old: Storage, _ listsRows: Bool
  ) -> Part {
    part(name, old.allInserted.inverted, listsRows)
  }

  private static func part<Storage>(
    _ name: String, _ changes: StorageChangeSet<Storage>, _ listsRows: Bool
  ) -> Part {
    Part(
      name: name, rows: changes.count,
      details: listsRows ? changes.debugDescription : changes.summary)
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { haveSameValue(value, $0) } ?? false
  }
}

extension String {
  /// The text without line breaks.
  package var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

/// A logger of the events in a store.
///
/// ```swift
/// let store = Store<AppState, Never>(
///   initialState: .init(), logger: StoreLogger { print($0) })
/// ```
public struct StoreLogger: Sendable {
  /// An event in a store.
  public enum Entry: Sendable {
    /// A commit ended without throwing.
    case committed(StoreCommit)
    /// A middleware refused a commit, and the state is unchanged.
    case refused(name: String?, error: any Error)
    /// A task of the store threw an error.
    case taskFailed(key: StoreTaskKey, error: any Error)
    /// A failed operation was ignored because it cannot throw, such as setting a value through a
    /// pointer.
    case ignored(StoreProblem)
  }

  let log: @Sendable (Entry) -> Void

  /// Creates a logger from a closure. The closure is called on the thread of the event, without a
  /// lock and after the commit lock is released.
  public init(_ log: @escaping @Sendable (Entry) -> Void) { self.log = log }
}
