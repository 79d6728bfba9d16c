extension IdentifiedArray where Element: Equatable {
  /// Returns the differences from an older version, by ID.
  ///
  /// Both versions must have their IDs at the same key path.
  /// ```swift
  /// let before = todos
  /// todos.move(from: 2, to: 0)
  /// todos[id: 7]?.title = "Bread"
  /// let changes = todos.changes(since: before)
  /// changes.moved.map(\.id)               // [3]
  /// changes.updated.map(\.new.title)      // ["Bread"]
  /// ```
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n* log *n*) between
  ///   unrelated versions.
  @inlinable
  public func changes(since old: Self) -> OrderedChanges<ID, Element> {
    table.differences(from: old.table, id: { $0.pointee.key.id }, value: { $0.pointee.value })
  }

  /// Applies changes that were computed between two versions. They turn the older version into the
  /// newer version.
  /// - Throws: `IdentifiedArrayError.changedID` if an update changes the ID.
  ///   `IdentifiedArrayError.conflict` if an element to remove or update is missing or differs, if
  ///   an element to move is missing, if the ID of an element to insert is already in the array, or
  ///   if an index is out of bounds. If an error is thrown, the array is not changed.
  /// - Complexity: O(*k* log *n*) expected, where *k* is the number of changes.
  public mutating func apply(_ changes: OrderedChanges<ID, Element>) throws {
    var result = self
    for change in changes.removed {
      guard haveSameValue(result.remove(id: change.id), change.element) else {
        throw IdentifiedArrayError.conflict(
          id: "\(change.id)", reason: "the element to remove is missing or another one")
      }
    }
    var placed = changes.inserted
    for change in changes.moved {
      guard let element = result.remove(id: change.id) else {
        throw IdentifiedArrayError.conflict(
          id: "\(change.id)", reason: "the element to move is missing")
      }
      placed.append(.init(id: change.id, element: element, index: change.to))
    }
    for change in placed.sorted(by: { $0.index < $1.index }) {
      guard change.index >= 0, change.index <= result.count else {
        throw IdentifiedArrayError.conflict(
          id: "\(change.id)", reason: "index \(change.index) of \(result.count) elements")
      }
      guard result.insert(change.element, at: change.index).inserted else {
        throw IdentifiedArrayError.conflict(
          id: "\(change.id)", reason: "the element to insert is there")
      }
    }
    for change in changes.updated {
      guard haveSameValue(result[id: change.id], change.old) else {
        throw IdentifiedArrayError.conflict(
          id: "\(change.id)", reason: "the element to update is missing or another one")
      }
      let newID = id(of: change.new)
      guard haveSameValue(newID, change.id) else {
        throw IdentifiedArrayError.changedID(from: "\(change.id)", to: "\(newID)")
      }
      result.updateOrAppend(change.new)
    }
    self = result
  }
}
