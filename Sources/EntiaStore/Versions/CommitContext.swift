/// A key under which commits carry a value of your own, from who commits to who observes.
///
/// ```swift
/// enum Origin: CommitContextKey { static let defaultValue = "user" }
///
/// store.commit("Load", context: CommitContext().with(Origin.self, "server")) { … }
/// store.sinkState { state in print(state.context[Origin.self]) }
/// ```
public protocol CommitContextKey {
  /// What is carried.
  associatedtype Value: Sendable
  /// What a commit carries that says nothing about it.
  static var defaultValue: Value { get }
}

/// What a commit carries besides its change and its name.
public struct CommitContext: Sendable {
  @usableFromInline var values: [ObjectIdentifier: any Sendable]?

  /// Makes a context that says nothing.
  @inlinable
  public init() {}

  /// The value under a key; the key's default where there is none.
  public subscript<Key: CommitContextKey>(key: Key.Type) -> Key.Value {
    get { values?[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
    set { values = (values ?? [:]).merging([ObjectIdentifier(key): newValue]) { $1 } }
  }

  /// The same context with another value under a key.
  ///
  /// - Returns: A copy with the value.
  public func with<Key: CommitContextKey>(_ key: Key.Type, _ value: Key.Value) -> CommitContext {
    var context = self
    context[key] = value
    return context
  }
}

/// What is said about a commit.
@usableFromInline
struct CommitMark: Sendable {
  @usableFromInline var name: String?
  @usableFromInline var context: CommitContext

  @inlinable
  init(name: String? = nil, context: CommitContext = CommitContext()) {
    self.name = name
    self.context = context
  }
}
