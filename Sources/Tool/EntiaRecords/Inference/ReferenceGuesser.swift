import EntiaCoding

/// Guesses which members of an entity refer to rows of another entity, or of the same entity.
struct ReferenceGuesser {
  /// A guess about a member; without a relationship the member remains a plain value.
  struct Guess {
    var relationship: Schema.Relationship?
    let claim: String
    let certainty: SchemaInference.Certainty
    let reason: String

    init(
      _ relationship: Schema.Relationship, _ certainty: SchemaInference.Certainty, _ reason: String
    ) {
      self.relationship = relationship
      claim = relationship.claim
      self.certainty = certainty
      self.reason = reason
    }

    init(unsure reason: String) {
      claim = "left as it is"
      certainty = .unsure
      self.reason = reason
    }
  }

  /// An entity with IDs among the values of a member.
  private struct Target {
    let group: EntityGroup
    let contained: Int
    let match: (isMatch: Bool, isWhole: Bool)
  }

  private let groups: [EntityGroup]
  private let names: [EntityNames.Entity]
  private let groupOf: (Int) -> EntityGroup?

  /// Creates a guesser for the references among entities.
  ///
  /// - Parameters:
  ///   - groups: The entities, with their names.
  ///   - groupOf: A closure that returns the entity of the slot at a position.
  init(_ groups: [EntityGroup], groupOf: @escaping (Int) -> EntityGroup?) {
    // More than 300 entities are unlikely to be a schema, and comparing each member with each
    // entity would take too long.
    self.groups = Array(groups.prefix(300))
    self.groupOf = groupOf
    names = self.groups.map { EntityNames.Entity($0.shortName) }
  }

  /// Returns a guess about a member, or nil if it is clearly a plain value.
  func reference(_ name: String, of group: EntityGroup) -> Guess? {
    let members = group.members(name)
    let values = members.reduce(InferenceMember.Counts()) { $0 + $1.values }
    let elements = members.reduce(InferenceMember.Counts()) { $0 + $1.elements }
    let targets = members.compactMap { $0.child.flatMap(groupOf) }
    if let target = targets.first {
      guard targets.allSatisfy({ $0 === target }) else {
        return Guess(
          unsure: "its objects are \(Set(targets.map(\.name)).sorted().joined(separator: " and "))")
      }
      if let problem = mixture(members, values, elements) { return Guess(unsure: problem) }
      return nested(name, in: target, values, elements)
    }
    guard values.objects == 0, values.others == 0, elements.objects == 0, elements.others == 0,
      elements.lists == 0, elements.nulls == 0, values.keys == 0 || values.lists == 0
    else { return nil }
    let keys = members.reduce(into: Set<UInt64>()) { $0.formUnion($1.keys) }
    // The member is no reference if each of its values equals the ID of the value's own record.
    guard !keys.isEmpty, members.reduce(0, { $0 + $1.ownKeys }) < values.keys + elements.keys else {
      return nil
    }
    let isMany = values.lists > 0
    return byValues(name, of: group, keys, members, isMany: isMany)
  }

  /// Returns the reason why a member with objects is not always a reference: some of the objects
  /// have no ID, or some values are of other kinds. Returns nil if the member is always a
  /// reference.
  private func mixture(
    _ members: [InferenceMember], _ values: InferenceMember.Counts,
    _ elements: InferenceMember.Counts
  ) -> String? {
    if members.contains(where: { $0.child != nil && $0.child.flatMap(groupOf) == nil }) {
      return "its objects have an ID at some places only"
    }
    let isMixed =
      values.others > 0 || values.lists > 0 && values.objects + values.keys > 0
      || values.lists > 0 && elements.lists + elements.others + elements.nulls > 0
    return isMixed ? "it holds objects at some places, and other values at others" : nil
  }

  private func nested(
    _ name: String, in target: EntityGroup, _ values: InferenceMember.Counts,
    _ elements: InferenceMember.Counts
  ) -> Guess {
    let isMany = values.lists > 0
    let counts = isMany ? elements : values
    let ids = counts.keys == 0 ? "" : " and \(counts.keys.counted("ID"))"
    return Guess(
      Schema.Relationship(name, to: target.name, isMany: isMany), target.certainty,
      "\(counts.objects.counted("object"))\(ids)")
  }

  // MARK: Overlap

  private func byValues(
    _ name: String, of group: EntityGroup, _ keys: Set<UInt64>, _ members: [InferenceMember],
    isMany: Bool
  ) -> Guess? {
    let words = EntityNames.Member(name)
    let sampled = SampledKeys(keys)
    let targets = zip(groups, self.names).compactMap { target, name -> Target? in
      let match = words.match(name)
      guard let contained = overlap(sampled, members, with: target) else { return nil }
      // At least half of the values must be IDs of an entity with a matching name. For any other
      // entity, a quarter of the values is enough.
      guard match.isMatch ? contained * 2 >= keys.count : contained * 4 >= keys.count else {
        return nil
      }
      return Target(group: target, contained: contained, match: match)
    }.sorted { $0.group.name.precedesExactly($1.group.name) }
    let named =
      targets.filter(\.match.isWhole) + targets.filter { !$0.match.isWhole && $0.match.isMatch }
    func guess(
      _ target: Target, _ certainty: SchemaInference.Certainty, _ more: String
    ) -> Guess {
      let seen =
        target.contained == keys.count
        ? (keys.count == 1 ? "its 1 value is an ID" : "all its \(keys.count) values are IDs")
        : "\(target.contained) of its \(keys.count) values are IDs"
      // A natural key is a list of the values that make up the ID; here it has one value.
      let isKey =
        isMany && target.group.hasNaturalKey && group.slots.allSatisfy { $0.model != nil }
        && members.allSatisfy { $0.elements.keys == $0.values.lists }
      return Guess(
        Schema.Relationship(name, to: target.group.name, isMany: isMany && !isKey), certainty,
        "\(seen) of \(target.group.name)\(more)")
    }
    let namesakes = named.filter { $0.match.isWhole && $0.contained == keys.count }
    if namesakes.count > 1 {
      let names = namesakes.map(\.group.name).joined(separator: " and ")
      return Guess(unsure: "its values are IDs of \(names), and it is called like each of them")
    }
    if let target = named.first {
      let isSure = target.match.isWhole && target.contained == keys.count
      return guess(target, isSure ? .sure : .likely, ", and so is it called")
    }
    let whole = targets.filter { $0.contained == keys.count }
    if EntityNames.soundsLikeReference(name) {
      if let own = whole.first(where: { $0.group === group }) {
        return guess(own, .likely, ", and it sounds like a reference")
      }
      if whole.count == 1 { return guess(whole[0], .likely, ", and it sounds like a reference") }
    }
    let telling = whole.filter { isTelling(members, keys, in: $0.group) }
    if telling.count == 1 {
      return guess(telling[0], .likely, ", which is unlikely to be chance")
    }
    if whole.isEmpty, let target = partial(targets, keys, members) {
      // If at least ten of the values, and at least 80% of all values, are IDs of one entity, this
      // is no coincidence. The other values then refer to missing rows.
      if target.contained * 5 >= keys.count * 4, target.contained > 9 {
        return guess(target, .likely, ", which is unlikely to be chance; the others would dangle")
      }
      return Guess(
        unsure: "\(target.contained) of its \(keys.count) values are IDs of \(target.group.name)")
    }
    if let (target, _) = zip(groups, self.names).first(where: { words.match($0.1).isWhole }) {
      return Guess(unsure: "it is called like \(target.name), and few of its values are IDs there")
    }
    guard !whole.isEmpty, keys.count > 1 || EntityNames.soundsLikeReference(name) else {
      return nil
    }
    let names = whole.prefix(3).map(\.group.name).joined(separator: ", ")
    let more = whole.count > 3 ? " and \(whole.count - 3) more" : ""
    return Guess(
      unsure:
        "its \(keys.count.counted("value")) are IDs of \(names)\(more), "
        + "which may be chance")
  }

  /// Returns the number of values that are IDs of a group, or nil if they are fewer than a quarter.
  ///
  /// - Complexity: O(values); O(1) if a sample, the types or the numbers show that they are not
  ///   IDs.
  private func overlap(
    _ keys: SampledKeys, _ members: [InferenceMember], with group: EntityGroup
  ) -> Int? {
    let ids = group.identity.ids
    // Integers and strings are never equal.
    let areStrings = members.allSatisfy { $0.numbers == nil }
    guard ids.count >= keys.quarter, !(areStrings && group.numbers != nil) else { return nil }
    return keys.overlap(ids.contains)
  }

  /// Returns the entity that has two or more IDs among the values. Returns nil if there is no such
  /// entity or more than one, if there are fewer than three values, or if no value is a string.
  private func partial(
    _ targets: [Target], _ keys: Set<UInt64>, _ members: [InferenceMember]
  ) -> Target? {
    guard keys.count > 2, members.contains(where: \.hasStrings) else { return nil }
    let found = targets.filter { $0.contained > 1 }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns whether the values, all of which are IDs of a group, are evidence of a reference.
  /// Numbers are evidence only if the IDs of the group have wide gaps. Without wide gaps, nearly
  /// every number in the range is an ID by chance.
  private func isTelling(
    _ members: [InferenceMember], _ keys: Set<UInt64>, in group: EntityGroup
  ) -> Bool {
    guard keys.count > 1 else { return false }
    guard let numbers = group.numbers else { return members.contains(where: \.hasStrings) }
    let (span, overflows) = numbers.upperBound.subtractingReportingOverflow(numbers.lowerBound)
    return keys.count > 2 && (overflows || span / 10 > group.identity.ids.count)
  }
}

/// The values of a member, with a sample of them. If the values are not IDs of an entity, comparing
/// only the sample with the IDs usually suffices to detect this.
struct SampledKeys {
  private static let sampleCount = 64

  private let keys: Set<UInt64>
  /// The smallest hashes, so that the sample is the same in each process. Empty if there are few
  /// keys.
  private let sample: [UInt64]

  /// Creates the sample of a set of hashes.
  ///
  /// - Complexity: O(keys).
  init(_ keys: Set<UInt64>) {
    self.keys = keys
    sample = keys.count > 4 * Self.sampleCount ? Self.smallest(keys) : []
  }

  private static func smallest(_ keys: Set<UInt64>) -> [UInt64] {
    var smallest = keys.prefix(sampleCount).sorted()
    for key in keys.dropFirst(sampleCount) where key < smallest[sampleCount - 1] {
      smallest.removeLast()
      smallest.insert(key, at: smallest.firstIndex { $0 > key } ?? smallest.endIndex)
    }
    return smallest
  }

  /// A quarter of the keys, rounded up.
  var quarter: Int { (keys.count + 3) / 4 }

  /// Returns the number of keys that are IDs, or nil if they are fewer than a quarter.
  ///
  /// If fewer than an eighth of the sampled keys are IDs, the other keys are not examined.
  ///
  /// - Parameter isID: A closure that returns whether a key is an ID.
  /// - Complexity: O(keys); O(1) if the sample has too few IDs.
  func overlap(_ isID: (UInt64) -> Bool) -> Int? {
    if !sample.isEmpty, sample.count(where: isID) * 8 < sample.count { return nil }
    let allowed = keys.count - quarter
    var misses = 0
    for key in keys where !isID(key) {
      misses += 1
      if misses > allowed { return nil }
    }
    return keys.count == misses ? nil : keys.count - misses
  }
}
