import EntiaDatabase

/// The resolvers of one database in a store's state.
///
/// One thread at a time uses a resolver. It is taken out of the pool meanwhile, so that no lock is
/// held while a shape is created.
final class ResolverPool<Storage: NormalizedStorageType>: Sendable {
  /// Sendable although its resolver is a variable: the pool lends it to one caller at a time, and
  /// the shapes that it remembers are `Sendable`.
  private final class Loan: @unchecked Sendable {
    var resolver = Resolver<Storage>()
  }

  /// How many unused resolvers are kept. Each keeps the version alive that it last read.
  private static var limit: Int { 4 }

  /// The unused resolvers, the last used one last.
  private let unused = Protected<[Loan]>([])

  /// Calls a closure with a resolver that no other caller uses.
  func withResolver<Result>(_ body: (inout Resolver<Storage>) -> Result) -> Result {
    let loan = unused.withLock { $0.popLast() } ?? Loan()
    let result = body(&loan.resolver)
    unused.withLock { unused in
      if unused.count < Self.limit { unused.append(loan) }
    }
    return result
  }
}
