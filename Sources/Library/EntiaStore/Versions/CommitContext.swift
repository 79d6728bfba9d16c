/// Custom values that a commit passes to its observers, in addition to its change and its name.
public struct CommitContext: Sendable {
  @usableFromInline var values: [ObjectIdentifier: any Sendable]?

  /// Creates an empty context.
  @inlinable
  public init() {}

  /// The value of a key, or the key's default if it is not set.
  public subscript<Key: CommitContextKey>(key: Key.Type) -> Key.Value {
    get { values?[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
    set { values = (values ?? [:]).merging([ObjectIdentifier(key): newValue]) { $1 } }
  }
}

/// A key of a custom value that a commit passes to its observers.
///
/// ```swift
/// enum Origin: CommitContextKey { static let defaultValue = "user" }
///
/// var context = CommitContext()
/// context[Origin.self] = "server"
/// store.commit("Load", context: context) { … }
/// store.sinkState { state in print(state.context[Origin.self]) }
/// ```
public protocol CommitContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The value of commits that do not set one.
  static var defaultValue: Value { get }
}

@usableFromInline
struct CommitMetadata: Sendable {
  @usableFromInline var name: String?
  @usableFromInline var context: CommitContext

  @inlinable
  init(name: String? = nil, context: CommitContext = CommitContext()) {
    self.name = name
    self.context = context
  }
}
