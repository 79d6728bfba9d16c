import EntiaDatabase

/// The resolvers of one database in a store's state.
///
/// One thread at a time uses a resolver. It is taken out of the pool meanwhile, so that no lock is
/// held while a shape is created.
final class ResolverPool<Storage: NormalizedStorageType>: Sendable {
  /// Sendable although it has variables: the pool lends it to one caller at a time, and the shapes
  /// that it remembers are `Sendable`.
  private final class Loan: @unchecked Sendable {
    var resolver = Resolver<Storage>()
    /// The version of the store's state that it last read, and retains.
    var version: UInt64 = 0
  }

  /// The greatest number of unused resolvers that are stored, one for each of as many threads.
  private static var limit: Int { 4 }

  /// The unused resolvers, all of one version, the last used one last.
  private let unused = Mutex<[Loan]>([])

  /// The number of unused resolvers.
  var count: Int { unused.withLock { $0.count } }

  /// Calls a closure with a resolver that no other caller uses.
  ///
  /// - Parameters:
  ///   - version: The version of the store's state that the closure reads.
  ///   - body: The closure.
  func withResolver<Result>(
    reading version: UInt64, _ body: (inout Resolver<Storage>) -> Result
  ) -> Result {
    let loan = unused.withLock { $0.popLast() } ?? Loan()
    let result = body(&loan.resolver)
    loan.version = version
    let dropped = unused.withLock { unused -> [Loan] in
      if let last = unused.last, last.version != version {
        // An old version stays in memory as long as a resolver of it does.
        if last.version > version { return [loan] }
        let dropped = unused
        unused = [loan]
        return dropped
      }
      if unused.count < Self.limit { unused.append(loan) }
      return []
    }
    // Shapes and versions are released without the lock.
    withExtendedLifetime((dropped, loan)) {}
    return result
  }
}
