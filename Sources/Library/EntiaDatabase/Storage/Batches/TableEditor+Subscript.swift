public import EntiaCollections

extension TableEditor {
  /// The entity with an ID, or `nil`, for reading and writing.
  ///
  /// ```swift
  /// context.modifying.books["b1"]?.title = "Entia"   // no effect if the book is missing
  /// context.modifying.books["b1"] = nil              // removed, following the delete rules
  /// ```
  ///
  /// The new value is stored when the access ends. A row that was removed during the access stays
  /// removed. If the assigned entity has another ID, the row is unchanged, and the batch's
  /// `problems` list it.
  /// - Complexity: O(1) expected for reading, O(log *n*) for writing.
  @inlinable
  public subscript(id: Entity.EntityID) -> Entity? {
    @inline(__always)
    get { table.pointee.find(by: id) }
    _modify {
      // A copy: the memory of the row must not be written while another editor may move it.
      let old = table.pointee.find(by: id)
      var row = old
      defer { assign(row, over: old, id) }
      yield &row
    }
  }

  @inlinable
  mutating func assign(_ new: Entity?, over old: Entity?, _ id: Entity.EntityID) {
    guard let new else {
      if old != nil { remove(id) }
      return
    }
    guard new.hasID(id) else {
      transaction.problems.append(.changedID(EntityLabel(id), to: EntityLabel(new.entityID)))
      return
    }
    guard let old else {
      insert(new)
      return
    }
    if haveSameValue(new, old), !Entity.hasTransientMembers {
      EqualityAudit.check(old, new)
    } else {
      _ = replace(by: new)
    }
  }
}
