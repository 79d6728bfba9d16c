extension EntityView {
  /// The entities at the other end of join entities, each once, in the order in which the join
  /// entities began to reference this one.
  ///
  /// ```swift
  /// struct Membership: EntityType, Identifiable {       // joins people and teams
  ///   let id: Int
  ///   let personID: Person.EntityID
  ///   let teamID: Team.EntityID
  ///   var role: Role
  /// }
  ///
  /// person[through: \.membershipPerson, \.membershipTeam]   // the teams of a person
  /// team[through: \.membershipTeam, \.membershipPerson]     // the people of a team
  /// person[inverse: \.membershipPerson]                     // the memberships, with their roles
  /// ```
  ///
  /// - Complexity: O(*k*) expected in the number of join entities.
  public subscript<Near: RelationshipType, Far: RelationshipType>(
    through near: KeyPath<Storage.Contents, Near>, far: KeyPath<Storage.Contents, Far>
  ) -> EntityViews<Storage, Far.Target> where Near.Target == Entity, Far.Holder == Near.Holder {
    others(self[inverse: near], far)
  }

  /// Returns the entities at the other end of join entities, each once, in the order of a field
  /// of the join entities. Join entities with equal fields keep the order in which they began to
  /// reference this entity.
  ///
  /// ```swift
  /// playlist.entities(through: \.entryPlaylist, \.entrySong, sortedBy: \.position)
  /// ```
  ///
  /// - Complexity: O(*k* log *k*) in the number of join entities.
  public func entities<Near: RelationshipType, Far: RelationshipType, Value: Comparable>(
    through near: KeyPath<Storage.Contents, Near>, _ far: KeyPath<Storage.Contents, Far>,
    sortedBy field: KeyPath<Near.Holder, Value>
  ) -> EntityViews<Storage, Far.Target> where Near.Target == Entity, Far.Holder == Near.Holder {
    let joins = self[inverse: near]
    return others(joins.sorted { $0.entity[keyPath: field] < $1.entity[keyPath: field] }, far)
  }

  private func others<Far: RelationshipType>(
    _ joins: some Sequence<EntityView<Storage, Far.Holder>>,
    _ far: KeyPath<Storage.Contents, Far>
  ) -> EntityViews<Storage, Far.Target> {
    var seen: Set<Far.Target.EntityID> = []
    let ids = snapshot.withRelationship(at: far) { relationship in
      joins.flatMap { relationship.targetIDs(of: $0.entity) }.filter { seen.insert($0).inserted }
    }
    return resolve(ids)
  }
}
