/// The parent of nested children, and the relationship by which they refer to it.
@usableFromInline
final class ChildParent {
  private let id: Any
  private let link: ParentLink
  private let keys: [Any]
  /// The parent's table.
  private let table: String
  private let idText: String

  init(_ id: Any, _ idText: String, table: String, _ link: ParentLink) {
    self.id = id
    self.idText = idText
    self.table = table
    self.link = link
    keys = link.keys(to: id)
  }

  /// Returns the key of a child whose record lacks it; nil for another property.
  func key<Value>(_ type: Value.Type, named name: String) -> Value? {
    guard link.isKey(name) else { return nil }
    for key in keys {
      if let key = key as? Value { return key }
    }
    return nil
  }

  /// Returns the problem of a decoded child; nil if it refers to the parent.
  @usableFromInline
  func problem(with child: Any, _ childText: String) -> (ImportProblem.Kind, String)? {
    switch link.relation(of: child, to: id) {
    case .same: nil
    case .none:
      (
        .typeMismatch,
        "\(childText) is nested in \(table) \(idText), but \(link.name) refers to no row; "
          + "give the record its key"
      )
    case .others(let others):
      (
        .conflict,
        "\(childText) is nested in \(table) \(idText), but \(link.name) refers to \(table) \(others); "
          + "make them agree, or leave the key out"
      )
    }
  }
}
