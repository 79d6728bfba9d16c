/// The changes of a table, for code that does not know the entity type.
@usableFromInline
protocol AnyTableChanges: Sendable, CustomStringConvertible {
  var isEmpty: Bool { get }
  var count: Int { get }
  var invertedChanges: any AnyTableChanges { get }
  func composed(withAny later: any AnyTableChanges) -> any AnyTableChanges
  func isEqual(to other: any AnyTableChanges) -> Bool
}

extension TableChanges: AnyTableChanges {
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
