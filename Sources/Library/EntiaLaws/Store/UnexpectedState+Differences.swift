import EntiaCollections
import EntiaDatabase

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

  /// Returns the line of one part; `nil` if both are equal or cannot be compared.
  private static func difference(_ name: String, _ found: Any, _ expected: Any) -> String? {
    if let storage = found as? any NormalizedStorageType {
      return rows(name, storage, expected)
    }
    guard let value = found as? any Equatable, !isEqual(value, expected) else { return nil }
    return "\(name): found \(text(found)), expected \(text(expected))"
  }

  private static func rows<Storage: NormalizedStorageType>(
    _ name: String, _ found: Storage, _ expected: Any
  ) -> String? {
    guard let expected = expected as? Storage else { return nil }
    let changes = found.changes(since: expected)
    if changes.isEmpty { return nil }
    let lines = changes.debugDescription.split(separator: "\n").map { "\n    \($0)" }
    return "\(name): found, beside what was expected:\(lines.joined())"
  }

  private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { haveSameValue(value, $0) } ?? false
  }

  private static func text(_ value: Any) -> String {
    (value as? String).map { "\"\($0)\"" } ?? "\(value)"
  }
}
