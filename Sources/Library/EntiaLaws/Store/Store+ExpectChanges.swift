import EntiaCollections
public import EntiaStore

/// The error for a store state that differs from the expected one.
public struct UnexpectedState: Error, Equatable, Sendable, CustomStringConvertible {
  /// One line for each part that differs, with the value that was found and the expected one.
  public let differences: [String]

  /// The differences, one line for each part.
  public var description: String {
    "the state is not what was expected:\n" + differences.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension Store where State: Equatable {
  /// Checks that some work changes the state in this way and in no other way.
  ///
  /// ```swift
  /// try store.expectChanges({ $0.searchText = "swift" }, when: { model.search("swift") })
  /// ```
  ///
  /// It throws, so that it works in any test framework.
  ///
  /// - Parameters:
  ///   - expected: Turns the state before the work into the expected state after it.
  ///   - work: The work under test.
  /// - Returns: The result of the work.
  /// - Throws: ``UnexpectedState`` if the states differ; the errors of the closures.
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

  /// Checks that some asynchronous work changes the state in this way and in no other way.
  ///
  /// - Parameters:
  ///   - expected: Turns the state before the work into the expected state after it.
  ///   - work: The work under test.
  /// - Returns: The result of the work.
  /// - Throws: ``UnexpectedState`` if the states differ; the errors of the closures.
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
