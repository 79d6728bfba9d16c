import EntiaCollections
import EntiaDatabase
public import EntiaStore

/// The error for a store state that differs from the expected one.
public struct UnexpectedState: Error, Equatable, Sendable, CustomStringConvertible {
  /// One line for each part that differs, with the value found and the expected value.
  public let differences: [String]

  /// The differences, one line for each part.
  public var description: String {
    "the state is not what was expected:\n" + differences.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension Store where State: Equatable {
  /// Checks that some work changes the state exactly as expected.
  ///
  /// ```swift
  /// try store.expectChanges({ $0.searchText = "swift" }, when: { model.search("swift") })
  /// ```
  ///
  /// A failed check throws, so that it works in any test framework.
  ///
  /// - Parameters:
  ///   - expected: A closure that edits the state before the work into the expected state after
  ///     the work.
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

  /// Checks that some asynchronous work changes the state exactly as expected.
  ///
  /// - Parameters:
  ///   - expected: A closure that edits the state before the work into the expected state after
  ///     the work.
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

extension UnexpectedState {
  /// Creates the error with the parts in which two states differ.
  init<State: Equatable>(found: State, expected: State) {
    let members = zip(Mirror(reflecting: found).children, Mirror(reflecting: expected).children)
    var differences = members.compactMap { found, expected in
      Self.difference(found.label ?? "", found.value, expected.value)
    }
    if differences.isEmpty { differences = ["found \(found), expected \(expected)"] }
    self.init(differences: differences)
  }

  /// Returns the line of one part; `nil` if its two values are equal or cannot be compared.
  private static func difference(_ name: String, _ found: Any, _ expected: Any) -> String? {
    if let storage = found as? any NormalizedStorageType {
      return rows(name, storage, expected)
    }
    if let storage = expected as? any NormalizedStorageType {
      return missing(name, storage)
    }
    guard let value = found as? any Equatable, !isEqual(value, expected) else { return nil }
    return "\(name): found \(text(found)), expected \(text(expected))"
  }

  private static func rows<Storage: NormalizedStorageType>(
    _ name: String, _ found: Storage, _ expected: Any
  ) -> String? {
    guard let expected = expected as? Storage else {
      return "\(name): found \(Storage.self), expected nil:\(lines(of: found.allInserted))"
    }
    let changes = found.changes(since: expected)
    return changes.isEmpty
      ? nil : "\(name): found, beside what was expected:\(lines(of: changes))"
  }

  private static func missing<Storage: NormalizedStorageType>(
    _ name: String, _ expected: Storage
  ) -> String {
    "\(name): found nil, expected \(Storage.self):\(lines(of: expected.allInserted.inverted))"
  }

  private static func lines<Storage>(of changes: StorageChangeSet<Storage>) -> String {
    changes.debugDescription.split(separator: "\n").map { "\n    \($0)" }.joined()
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { haveSameValue(value, $0) } ?? false
  }

  private static func text(_ value: Any) -> String {
    (value as? String).map { "\"\($0)\"" } ?? "\(value)"
  }
}
