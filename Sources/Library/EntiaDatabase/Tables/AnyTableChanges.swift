/// The changes of a table, for code that does not know the entity type.
@usableFromInline
protocol AnyTableChanges: Sendable, CustomStringConvertible {
  var isEmpty: Bool { get }
  var count: Int { get }
  /// The number of changes by kind.
  var summary: String { get }
  /// Whether rows were inserted or moved, which changes the order in which rows are visited.
  var changesOrder: Bool { get }
  var invertedChanges: any AnyTableChanges { get }
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges
  func isEqual(to other: any AnyTableChanges) -> Bool
  /// Returns a line for each change, and the number of the others after a limit.
  func lines(limit: Int) -> [String]
  func encode(to encoder: any Encoder) throws
}

extension AnyTableChanges {
  @usableFromInline var changesOrder: Bool { false }
}

extension TableChanges: AnyTableChanges {
  @usableFromInline
  var changesOrder: Bool {
    !inserted.isEmpty || !order.placed.isEmpty || !order.taken.isEmpty
  }

  @usableFromInline
  var invertedChanges: any AnyTableChanges { inverted }

  @usableFromInline
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges {
    guard let later = later as? Self else { return self }
    return composed(with: later)
  }

  @usableFromInline
  func isEqual(to other: any AnyTableChanges) -> Bool { other as? Self == self }
}
