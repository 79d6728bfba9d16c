import EntiaDatabase

/// The resolvers of one database in a store's state.
///
/// A resolver is used by one thread at a time. The thread removes the resolver from the pool and
/// returns it afterwards, so that no lock is held while a shape is created.
final class ResolverPool<Storage: NormalizedStorageType>: Sendable {
  /// Sendable although it has variables: only one caller at a time uses a resolver, and the shapes
  /// in its cache are `Sendable`.
  private final class PooledResolver: @unchecked Sendable {
    var resolver = Resolver<Storage>()
    /// The number of the state's version that the resolver read last. The resolver retains the
    /// database of that version.
    var version: UInt64 = 0
  }

  /// The maximum number of unused resolvers that are stored, and therefore the number of threads
  /// that can reuse resolvers in parallel.
  private static var limit: Int { 4 }

  /// The unused resolvers, all of one version, the most recently used one last.
  private let unused = Mutex<[PooledResolver]>([])

  var count: Int { unused.withLock { $0.count } }

  /// Calls a closure with a resolver that no other caller uses.
  ///
  /// - Parameters:
  ///   - version: The version of the store's state that the closure reads.
  ///   - body: The closure.
  func withResolver<Result>(
    reading version: UInt64, _ body: (inout Resolver<Storage>) -> Result
  ) -> Result {
    let pooled = unused.withLock { $0.popLast() } ?? PooledResolver()
    let result = body(&pooled.resolver)
    pooled.version = version
    let dropped = unused.withLock { unused -> [PooledResolver] in
      if let last = unused.last, last.version != version {
        // A stored resolver retains its version, so resolvers of older versions are dropped.
        if last.version > version { return [pooled] }
        let dropped = unused
        unused = [pooled]
        return dropped
      }
      if unused.count < Self.limit { unused.append(pooled) }
      return []
    }
    // Shapes and versions are released without the lock.
    withExtendedLifetime((dropped, pooled)) {}
    return result
  }
}
