import EntiaCollections
public import EntiaDatabase

extension Ref where Value: NormalizedStorageType {
  /// A pointer to the entity with an ID in this database. The pointer's value is `nil` while there
  /// is no such entity.
  ///
  /// The pointer remains valid if the entity is moved in an ordered table. Each write is a batch,
  /// validated like any other. Writing `nil` removes the entity, according to the delete rules. A
  /// pointer does not insert entities: writing an entity that does not exist, or changing its ID,
  /// is refused with a ``RefError``.
  ///
  /// While there are layers, the pointer reads the visible state, but writes to the committed
  /// state. A row that only a layer has inserted therefore cannot be written. An assignment to
  /// `value` writes only the members in which the new row differs from the visible row, so it does
  /// not commit the edits of layers. A row that cannot be merged by its members is written as a
  /// whole.
  ///
  /// - Complexity: O(1) expected to read, O(log *n*) to write.
  public subscript<Entity: EntityType>(
    entity id: EntityIdentifier<Entity>
  ) -> Ref<Entity?> {
    let source = source
    /// Returns the error for a row that is missing in the committed state: `onlyInLayer` if the row
    /// is in the visible state, otherwise `error`.
    @Sendable func lost(_ error: RefError) -> RefError {
      let isShown = source.current.value.view(of: id) != nil
      return isShown ? .onlyInLayer(what: "\(EntityLabel(id))") : error
    }
    return map(
      .element(id), get: { $0.view(of: id)?.entity },
      assignment: { new, visible, committed in
        guard let new, let visible, let committed else { return new }
        return RowMembers().assigned(new, over: visible, to: committed)
      },
      edit: { storage, body in
        let before = storage.view(of: id)?.entity
        var entity = before
        do {
          try body(&entity)
        } catch RefError.lost where before == nil {
          throw lost(.lost(what: "\(EntityLabel(id))"))
        } catch let error as RefError where before == nil {
          throw lost(error)
        }
        if haveSameValue(entity, before) { return }
        guard before != nil else { throw lost(.lost(what: "\(EntityLabel(id))")) }
        if let entity, entity.entityID != id {
          throw RefError.changedID(
            from: TypeName.ofID(id.description), to: TypeName.ofID(entity.entityID.description))
        }
        try storage.performBatchUpdates { context in
          var writer = RowReplacement<Value, Entity>(
            tables: context.modifying, id: id, entity: entity)
          Value.Contents.visitParts(&writer)
        }
      })
  }
}

/// Replaces the row of an entity, or removes the row if `entity` is `nil`. The visitor leaves
/// tables of other entity types unchanged.
private struct RowReplacement<Storage: NormalizedStorageType, Entity: EntityType>: StorageVisitor {
  typealias Contents = Storage.Contents

  var tables: BatchTables<Storage>
  let id: Entity.EntityID
  let entity: Entity?

  mutating func table<Table: TableType>(_ name: String, _ path: PartPath<Contents, Table>) {
    guard let id = id as? Table.Entity.EntityID else { return }
    if let entity = entity as? Table.Entity {
      tables[dynamicMember: path].insert(entity)
    } else {
      tables[dynamicMember: path].remove(id)
    }
  }
}

extension StorePart {
  /// Returns a pointer to a part of the state: reading it reads the state, and writing it commits.
  ///
  /// The pointer retains the state, but not the store.
  public func ref<Part: Sendable>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable
  ) -> Ref<Part> {
    Ref(toStateOf: store.core)[wholePath(to: keyPath)]
  }

  /// Returns a pointer to the entity with an ID in one of the state's databases. The pointer's
  /// value is `nil` while there is no such entity.
  ///
  /// The pointer remains valid if the entity is moved. Writes are batches, validated like any
  /// other.
  public func ref<Storage: NormalizedStorageType, Entity: EntityType>(
    _ id: EntityIdentifier<Entity>, in keyPath: any WritableKeyPath<State, Storage> & Sendable
  ) -> Ref<Entity?> {
    store.core.databases.add(wholePath(to: keyPath))
    return ref(keyPath)[entity: id]
  }
}
