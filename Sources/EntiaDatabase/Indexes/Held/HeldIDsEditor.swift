import EntiaCollections

/// IDs that the user holds, inside a batch: `context.modifying.favorites.append("b1")`.
public struct HeldIDsEditor<Storage: NormalizedStorageType, IDs: HeldIDs> {
  /// The ID of an entity.
  public typealias ID = IDs.Entity.EntityID

  let workspace: Workspace<Storage>
  let place: UnsafeMutablePointer<IDs>

  init(_ workspace: Workspace<Storage>, _ place: UnsafeMutablePointer<IDs>) {
    precondition(workspace.isOpen, "the batch has ended")
    self.workspace = workspace
    self.place = place
  }

  /// Returns all IDs, in order.
  /// - Complexity: O(*n*).
  public func ids() -> [ID] { Array(place.pointee) }

  /// Whether an ID is held.
  /// - Complexity: O(1) expected.
  public func contains(_ id: ID) -> Bool { place.pointee.contains(id) }

  /// Lets an ID go.
  /// - Returns: whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool { place.pointee.forget(id) }

  /// Lets go of every ID.
  public mutating func removeAll() { place.pointee.removeAll() }

  private func accepts(_ id: ID) -> Bool {
    !contains(id) && workspace.contents.table(of: IDs.Entity.self)?.contains(id) == true
  }
}

extension HeldIDsEditor {
  /// Puts an ID last.
  /// - Returns: whether it was put there: not when it is in the list, or when its entity is missing.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func append<Entity>(_ id: ID) -> Bool where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.append(id)
    return true
  }

  /// Puts an ID at a position.
  /// - Returns: whether it was put there: not when it is in the list, or when its entity is missing.
  /// - Precondition: the position is at least 0 and at most the number of IDs.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID, at position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.insert(id, at: position)
    return true
  }

  /// Moves an ID, so that it is at a position afterwards.
  /// - Returns: whether it is in the list; otherwise nothing is moved.
  /// - Precondition: the position is at least 0 and less than the number of IDs, or the ID is not in
  ///   the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func move<Entity>(_ id: ID, to position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard let from = place.pointee.position(of: id) else { return false }
    place.pointee.table.move(from: from, to: position)
    return true
  }

  /// Puts an ID into the set.
  /// - Returns: whether it was put there: not when it is in the set, or when its entity is missing.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID) -> Bool where IDs == Indexes.Set<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.updateOrInsert(id)
    return true
  }
}

extension BatchTables {
  /// IDs that the user holds, for reading and writing.
  public subscript<IDs: HeldIDs>(
    dynamicMember path: any WritableKeyPath<Storage.Contents, IDs> & Sendable
  ) -> HeldIDsEditor<Storage, IDs> {
    get { HeldIDsEditor(workspace, workspace.contents.part(at: path)) }
    _modify {
      var editor = HeldIDsEditor(workspace, workspace.contents.part(at: path))
      yield &editor
    }
  }
}
