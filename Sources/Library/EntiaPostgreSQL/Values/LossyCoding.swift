import EntiaCollections

/// The error for an element whose JSON decodes to another one.
struct LossyCoding: Error {
  let reason: String
  /// The name of the member that differs, if it can be found.
  let path: [String]

  init(reason: String, path: [String]) { (self.reason, self.path) = (reason, path) }

  /// Decodes an element.
  /// - Throws: `LossyCoding` for an element that cannot be decoded.
  static func locating<Element>(_ decode: () throws -> Element) throws -> Element {
    do {
      return try decode()
    } catch {
      let (column, reason) = SharedDatabaseError.place(of: error)
      throw LossyCoding(
        reason: "its Codable form cannot be decoded: \(reason)", path: column.map { [$0] } ?? [])
    }
  }

  /// Throws an error unless a decoded element equals the one that was encoded.
  static func check<Element: Equatable>(_ decoded: Element, equals element: Element) throws {
    if haveSameValue(decoded, element) { return }
    for (old, new) in zip(
      Mirror(reflecting: element).children, Mirror(reflecting: decoded).children)
    where !areSame(old.value, new.value) {
      throw LossyCoding(
        reason: "its Codable form decodes to \(new.value) instead of \(old.value)",
        path: old.label.map { [$0] } ?? [])
    }
    throw LossyCoding(reason: "its Codable form decodes to a row that is not equal", path: [])
  }

  private static func areSame(_ first: Any, _ second: Any) -> Bool {
    func equals<Value: Equatable>(_ first: Value) -> Bool {
      (second as? Value).map { haveSameValue(first, $0) } ?? false
    }
    if let first = first as? any Equatable { return equals(first) }
    return String(reflecting: first) == String(reflecting: second)
  }
}
