import EntiaCollections
public import EntiaStore

/// The state of a store is not what a test expected.
public struct UnexpectedState: Error, Equatable, Sendable, CustomStringConvertible {
  /// A line for each part that differs: what was found, and what was expected.
  public let differences: [String]

  /// What differs, a line a part.
  public var description: String {
    "the state is not what was expected:\n" + differences.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension Store where State: Equatable {
  /// Checks that some work changes the state in this way and in no other.
  ///
  /// ```swift
  /// try store.expectChanges({ $0.searchText = "swift" }, when: { model.search("swift") })
  /// ```
  ///
  /// It throws, so it serves in any test framework.
  ///
  /// - Parameters:
  ///   - expected: Makes of the state before what the state after must be.
  ///   - work: Is what is tested.
  /// - Returns: What the work returns.
  /// - Throws: ``UnexpectedState``; what the work throws.
  @discardableResult
  public func expectChanges<Result>(
    _ expected: (inout State) throws -> Void, when work: () throws -> Result
  ) throws -> Result {
    var wanted = state
    try expected(&wanted)
    let result = try work()
    let found = state
    if !haveSameValue(found, wanted) { throw UnexpectedState(found: found, expected: wanted) }
    return result
  }

  /// Checks that some asynchronous work changes the state in this way and in no other.
  ///
  /// - Parameters:
  ///   - expected: Makes of the state before what the state after must be.
  ///   - work: Is what is tested.
  /// - Returns: What the work returns.
  /// - Throws: ``UnexpectedState``; what the work throws.
  @discardableResult
  public func expectChanges<Result>(
    _ expected: (inout State) throws -> Void, when work: () async throws -> Result
  ) async throws -> Result {
    var wanted = state
    try expected(&wanted)
    let result = try await work()
    let found = state
    if !haveSameValue(found, wanted) { throw UnexpectedState(found: found, expected: wanted) }
    return result
  }
}
