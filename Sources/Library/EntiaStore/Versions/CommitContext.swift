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

  /// Returns a copy of the context with another value of a key.
  ///
  /// - Returns: A copy with the value.
  public func with<Key: CommitContextKey>(_ key: Key.Type, _ value: Key.Value) -> CommitContext {
    var context = self
    context[key] = value
    return context
  }
}
