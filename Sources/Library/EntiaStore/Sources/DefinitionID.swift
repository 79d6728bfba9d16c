/// The identity of a definition.
struct DefinitionID: Hashable, Sendable {
  private let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) { self.value = value }

  /// The key path that is the identity, or `nil` if it is another value.
  var keyPath: AnyKeyPath? { value as? AnyKeyPath }

  static func == (lhs: DefinitionID, rhs: DefinitionID) -> Bool {
    AnyHashable(lhs.value) == AnyHashable(rhs.value)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}
