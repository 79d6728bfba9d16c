import EntiaCollections
import EntiaDatabase

/// What a logger is told of a commit.
///
/// What changed is found out when it is asked for, so a logger that does not ask costs nothing.
public struct StoreCommit: Sendable, CustomStringConvertible {
  /// A part of the state that a commit changed.
  public struct Part: Equatable, Sendable, CustomStringConvertible {
    /// The name of the member of the state.
    public let name: String
    /// How many rows changed; `nil` where the part is no database.
    public let rows: Int?
    /// What changed in which table, a line each; empty where the part is no database.
    public let details: String

    /// The name, and the rows where there are any.
    public var description: String {
      guard let rows else { return name }
      return "\(name) (\(rows == 1 ? "1 row" : "\(rows) rows"))"
    }
  }

  /// The name it was given.
  public let name: String?
  /// What it carried.
  public let context: CommitContext
  /// How long it took with its turn and its observers, those on other queues apart.
  public let duration: Duration
  /// Whether it changed anything.
  public let isChanged: Bool
  private let find: @Sendable () -> [Part]

  init<State: Sendable>(
    _ mark: CommitMark, duration: Duration, isChanged: Bool, from old: Snapshot<State>,
    to new: Snapshot<State>
  ) {
    name = mark.name
    context = mark.context
    self.duration = duration
    self.isChanged = isChanged
    find = { Self.parts(from: old.value, to: new.value) }
  }

  /// The parts of the state that changed, in the order of their declaration.
  ///
  /// - Complexity: O(changes) for databases, a comparison for each other part.
  public var parts: [Part] { isChanged ? find() : [] }

  /// How many rows of all databases changed.
  ///
  /// - Complexity: As ``parts``.
  public var changedRows: Int { parts.reduce(0) { $0 + ($1.rows ?? 0) } }

  /// The name, the duration and what changed, on one line.
  public var description: String {
    let what = isChanged ? parts.map(\.description).joined(separator: ", ") : "nothing changed"
    return "\(name ?? "commit") in \(duration): \(what)"
  }

  private static func parts<State>(from old: State, to new: State) -> [Part] {
    if let part = changes("state", from: old, to: new, isWhole: true) { return [part] }
    let members = zip(Mirror(reflecting: old).children, Mirror(reflecting: new).children)
    return members.compactMap { old, new in
      changes(new.label ?? "state", from: old.value, to: new.value, isWhole: false)
    }
  }

  /// The change of one part; `nil` when there is none, or when a whole must be looked at in parts.
  private static func changes(
    _ name: String, from old: Any, to new: Any, isWhole: Bool
  ) -> Part? {
    if let storage = new as? any NormalizedStorageType {
      return rows(name, from: old, to: storage)
    }
    let isSimple = Mirror(reflecting: new).displayStyle != .struct
    if isWhole, !isSimple { return nil }
    if let value = new as? any Equatable, isEqual(value, old) { return nil }
    return Part(name: name, rows: nil, details: "")
  }

  private static func rows<Storage: NormalizedStorageType>(
    _ name: String, from old: Any, to new: Storage
  ) -> Part? {
    guard let old = old as? Storage else { return nil }
    let changes = new.changes(since: old)
    if changes.isEmpty { return nil }
    return Part(name: name, rows: changes.count, details: "\(changes)")
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { haveSameValue(value, $0) } ?? false
  }
}
