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

  /// Removes an ID.
  /// - Returns: Whether it was held.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(_ id: ID) -> Bool { place.pointee.forget(id) }

  /// Removes every ID.
  public mutating func removeAll() { place.pointee.removeAll() }

  /// Returns whether an ID can be added because it is not held yet. Its entity may be inserted
  /// later in the batch.
  private func accepts(_ id: ID) -> Bool {
    if contains(id) { return false }
    if workspace.contents.table(of: IDs.Entity.self)?.contains(id) != true {
      workspace.noteEarly(id, in: place)
    }
    return true
  }
}

extension HeldIDsEditor {
  /// Appends an ID.
  ///
  /// The entity may be inserted later in the batch. If it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was appended; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func append<Entity>(_ id: ID) -> Bool where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.append(id)
    return true
  }

  /// Inserts an ID at a position; positions out of bounds are clamped.
  ///
  /// The entity may be inserted later in the batch. If it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was inserted; `false` when it is already in the list.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID, at position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.insert(id, at: position.clamped(to: place.pointee.count))
    return true
  }

  /// Moves an ID to a position; positions out of bounds are clamped.
  /// - Returns: Whether the list contains the ID; otherwise nothing is moved.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func move<Entity>(_ id: ID, to position: Int) -> Bool
  where IDs == Indexes.OrderedID<Entity> {
    guard let from = place.pointee.position(of: id) else { return false }
    place.pointee.table.move(from: from, to: position.clamped(to: place.pointee.count - 1))
    return true
  }

  /// Removes the ID at a position.
  /// - Returns: The removed ID, or `nil` when the position is out of bounds.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove<Entity>(at position: Int) -> Entity.EntityID?
  where IDs == Indexes.OrderedID<Entity> {
    guard let id = place.pointee[position] else { return nil }
    place.pointee.forget(id)
    return id
  }

  /// Inserts an ID into the set.
  ///
  /// The entity may be inserted later in the batch. If it is missing at the end, the ID is
  /// dropped and listed in the batch's `problems`.
  /// - Returns: Whether the ID was inserted; `false` when it is already in the set.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func insert<Entity>(_ id: ID) -> Bool where IDs == Indexes.Set<Entity> {
    guard accepts(id) else { return false }
    place.pointee.table.updateOrInsert(id)
    return true
  }
}

extension BatchContext {
  /// Replaces the held IDs by those of another version, whose entities must exist.
  package mutating func replaceHeldIDs<Index: IndexType>(
    at path: any WritableKeyPath<Storage.Contents, Index> & Sendable, by ids: Index
  ) {
    workspace.contents.part(at: path).pointee = ids
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
