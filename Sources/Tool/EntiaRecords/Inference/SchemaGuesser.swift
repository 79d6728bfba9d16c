import EntiaCoding

/// Infers a schema from the statistics of slots.
struct SchemaGuesser {
  let slots: [InferenceSlot]
  let known: Schema
  private(set) var schema = Schema()
  var guesses: [SchemaInference.Guess] = []
  /// The guesses about entities without a certain ID member.
  private(set) var withoutIDs: [SchemaInference.Guess] = []
  private(set) var groups: [EntityGroup] = []
  /// The index of the group of each slot, by the slot's position.
  private var groupOf: [Int: Int] = [:]
  /// The possible ID members of objects that are not entities.
  private(set) var nestedIDs: [(entity: String, path: String)] = []
  /// The slots that are not entities, with the reasons.
  private var embedded: [(slot: InferenceSlot, reason: String)] = []

  init(slots: [InferenceSlot], known: Schema) {
    self.slots = slots
    self.known = known
  }

  mutating func guess() {
    findEntities()
    unite()
    name()
    writeSchema()
  }

  /// Returns the group of the slot at a position.
  private func group(at position: Int) -> EntityGroup? { groupOf[position].map { groups[$0] } }

  func entityName(of slot: InferenceSlot) -> String {
    group(at: slot.position)?.name ?? slot.name
  }

  // MARK: Entities

  /// Finds the slots whose records are entities. The slots at the top level and in tables are
  /// always entities. The slot of a member of an entity is an entity if its records have an ID.
  private mutating func findEntities() {
    var open = slots.filter { $0.origin != .member && $0.records > 0 }
    var seen = Set(open.map(\.position))
    while let slot = open.popLast() {
      let id =
        slot.guessID()
        ?? IDGuess(
          // If the input declares the ID, `name` is nil, because the declared ID may have several
          // members.
          name: slot.knownID == nil ? "id" : nil, identity: RecordIdentity(), certainty: .unsure,
          reason: "no member is an ID in \(slot.eachRecord); import needs one")
      groupOf[slot.position] = groups.count
      groups.append(EntityGroup(slot, id))
      for member in slot.members {
        guard let position = member.child, seen.insert(position).inserted else { continue }
        let child = slots[position]
        if let reason = member.reasonToEmbed ?? child.reasonToEmbed {
          embedded.append((child, reason))
        } else {
          open.append(child)
        }
      }
    }
  }

  // MARK: Unity

  /// Merges groups with records of the same entity.
  private mutating func unite() {
    var order = groups.indices.sorted {
      groups[$0].slots[0].position < groups[$1].slots[0].position
    }
    // Only the first 300 groups are compared, because comparing all pairs would take too long. More
    // than 300 slots with IDs indicate a map rather than a schema.
    if order.count > 300 { order.removeSubrange(300...) }
    var isChanged = true
    while isChanged {
      isChanged = false
      for left in order.indices {
        for right in order.indices.dropFirst(left + 1).reversed() {
          let (one, other) = (groups[order[left]], groups[order[right]])
          guard let why = reasonToUnite(one, other) else { continue }
          one.merge(other, because: why.isEmpty ? nil : why)
          for slot in other.slots { groupOf[slot.position] = order[left] }
          order.remove(at: right)
          isChanged = true
        }
      }
    }
    let used = Set(groupOf.values)
    let kept = groups.indices.filter { used.contains($0) }
    let moved = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    groupOf = groupOf.compactMapValues { moved[$0] }
    groups = kept.map { groups[$0] }
  }

  /// Returns the reason why two groups are one entity; nil if they are not. The reason is empty if
  /// the name is sufficient.
  private func reasonToUnite(_ one: EntityGroup, _ other: EntityGroup) -> String? {
    let isTable = { (group: EntityGroup) in group.slots.contains { $0.origin == .table } }
    if isTable(one), isTable(other) { return nil }
    guard let name = one.idName, let otherName = other.idName, name.isExactly(otherName) else {
      return nil
    }
    let isNamesake = !one.nameWords.isDisjoint(with: other.nameWords)
    guard isNamesake || one.likeness(to: other) >= 0.5 else { return nil }
    let common = one.identity.compare(to: other.identity)
    guard common.different == 0 else { return nil }
    if isNamesake { return "" }
    let paths = "\(one.slots[0].path) and \(other.slots[0].path)"
    if common.same > 0 { return "\(paths) have IDs in common, with the same content" }
    if nests(one, other) || nests(other, one) { return "\(paths) hold the same members" }
    if names(one: one, other) || names(one: other, one) {
      return "\(paths) have the same members, and one names the other's IDs"
    }
    return nil
  }

  /// Returns whether a member of `one` contains records of `other`, and these records have a member
  /// of the same name, as in nested `children`.
  private func nests(_ one: EntityGroup, _ other: EntityGroup) -> Bool {
    other.slots.contains { slot in
      slot.parent.map { parent in one.slots.contains { $0 === parent } } == true
        && slot.known(slot.name) != nil
    }
  }

  /// Returns whether the member that contains the records of one group also contains IDs of the
  /// other.
  private func names(one: EntityGroup, _ other: EntityGroup) -> Bool {
    one.slots.contains { slot in
      guard let keys = slot.parent?.known(slot.name)?.keys else { return false }
      return keys.contains { other.identity.ids.contains($0) && !one.identity.ids.contains($0) }
    }
  }

  // MARK: Names

  private mutating func name() {
    var taken: Set<ExactString> = []
    let order = groups.indices.sorted { left, right in
      let (one, other) = (groups[left].isNamed, groups[right].isNamed)
      return one == other
        ? groups[left].slots[0].position < groups[right].slots[0].position : one
    }
    for index in order {
      let group = groups[index]
      var name = group.proposedName
      if taken.contains(ExactString(name)), let parent = group.slots[0].parent {
        name = EntityNames.singular(entityName(of: parent)) + "_" + name
      }
      var number = 2
      let base = name
      while !taken.insert(ExactString(name)).inserted {
        name = "\(base)_\(number)"
        number += 1
      }
      group.name = name
    }
  }

  // MARK: The schema

  private mutating func writeSchema() {
    let order = groups.sorted { $0.name.precedesExactly($1.name) }
    let guess = ReferenceGuesser(groups) { [self] in self.group(at: $0) }
    for group in order {
      let knownEntity = known.entity(group.name)
      var relationships = knownEntity?.relationships ?? []
      let idName = knownEntity?.idName ?? group.idName ?? "id"
      add(
        group.name, "an entity, ID in \(idName.quoted)",
        knownEntity == nil ? group.certainty : .sure,
        knownEntity == nil ? group.reason : "declared by the file's schema")
      if knownEntity == nil, group.certainty == .unsure, let guess = guesses.last {
        withoutIDs.append(guess)
      }
      for name in group.memberNames where name != group.idName {
        if let known = knownEntity?.relationship(name) {
          add("\(group.name).\(name)", known.claim, .sure, "declared by the file's schema")
        } else if let found = guess.reference(name, of: group) {
          add("\(group.name).\(name)", found.claim, found.certainty, found.reason)
          if let relationship = found.relationship { relationships.append(relationship) }
        }
        for (slot, reason) in embedded
        where knownEntity?.relationship(name) == nil && slot.name == name
          && group.slots.contains(where: { $0 === slot.parent })
        {
          add("\(group.name).\(name)", "kept whole", .likely, reason)
          guard slot.parent?.known(name)?.values.objects ?? 0 > 0,
            let best = slot.members.map(\.keys.count).max(), best > 0,
            let member = slot.members.first(where: { $0.keys.count == best })
          else { continue }
          nestedIDs.append((group.name, "\(name).\(member.name)"))
        }
      }
      var entity = knownEntity ?? Schema.Entity(group.name, idName: idName)
      for relationship in relationships {
        entity.byName[ExactString(relationship.name)] = relationship
      }
      schema.set(entity)
    }
    _ = schema.merge(known, from: "", at: .root)
  }

  private mutating func add(
    _ subject: String, _ claim: String, _ certainty: SchemaInference.Certainty, _ reason: String
  ) {
    guesses.append(
      SchemaInference.Guess(
        subject: subject, claim: claim, certainty: certainty, reason: reason))
  }
}

extension EntityGroup {
  /// Whether the entity has the name of a table or a file.
  fileprivate var isNamed: Bool { slots.contains { $0.origin != .member } }

  fileprivate var proposedName: String {
    if let table = slots.first(where: { $0.origin == .table }) {
      return table.sharesModelName ? table.model ?? table.name : table.name
    }
    if let root = slots.first(where: { $0.origin == .root }) { return root.name }
    let lists = slots.filter { $0.parent?.known($0.name)?.values.lists ?? 0 > 0 }
    return lists.first?.name ?? EntityNames.plural(slots[0].name)
  }
}

extension InferenceMember {
  /// The reason why objects in this member cannot be rows of an entity; nil if they can.
  fileprivate var reasonToEmbed: String? {
    let inLists = elements.objects > 0
    if values.objects > 0, values.lists > 0 { return "it is a list at times, and one at others" }
    if inLists, elements.lists + elements.others + elements.nulls > 0 {
      return "its lists hold other values beside objects"
    }
    if inLists, values.keys + values.others > 0 {
      return "it is a list at times, a value at others"
    }
    if !inLists, values.others > 0 { return "it holds other values beside objects" }
    return nil
  }
}

extension InferenceSlot {
  /// The reason why the records are not an entity of their own; nil if they seem to be one.
  fileprivate var reasonToEmbed: String? {
    if isMap { return "its objects have other members each, as maps do" }
    if guessID() != nil { return nil }
    let contradicting = members.first {
      guard let identity = $0.identity else { return false }
      return identity.records == records && identity.contradictions > 0
    }
    if let contradicting {
      return "records of one \(contradicting.name.quoted) differ, so that it is no ID"
    }
    if let confusion = members.lazy.compactMap({ $0.identity?.confusion }).first {
      return confusion
    }
    return records == 1
      ? "no member is an ID in its 1 object" : "no member is an ID in each of \(records) objects"
  }

  fileprivate var eachRecord: String {
    records == 1 ? "its 1 record" : "each of \(records) records"
  }
}

extension Schema.Relationship {
  /// The description of the relationship in an explanation.
  var claim: String { "to \(isMany ? "many" : "one") of " + targetNames { $0 } }
}
