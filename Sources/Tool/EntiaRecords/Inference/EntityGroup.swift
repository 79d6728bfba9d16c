import EntiaCoding

/// Slots with records of one entity.
final class EntityGroup {
  private(set) var slots: [InferenceSlot] {
    didSet { readNames() }
  }
  /// The words of the slots' names, each name in the singular.
  private(set) var nameWords: Set<[String]> = []
  private var memberSet: Set<ExactString> = []
  /// The ID member; nil if the ID is outside the records, or if there is none.
  let idName: String?
  private(set) var identity: RecordIdentity
  /// The range of the IDs, if all are integers.
  private(set) var numbers: ClosedRange<Int>?
  private(set) var certainty: SchemaInference.Certainty
  private var ownReason: String?
  private var unions: [String] = []
  var name = ""

  /// The name by which members refer to the entity. If the entity is named after a Django model
  /// with its app, such as `blog.post`, this is the name without the app. Otherwise, this is
  /// `name`.
  var shortName: String {
    guard let model = slots[0].model, model.isExactly(name) else { return name }
    return model.split(separator: ".").last.map(String.init) ?? model
  }

  /// Whether the records are Django's, with natural keys instead of primary keys.
  var hasNaturalKey: Bool { idName != nil && slots[0].model != nil }

  init(_ slot: InferenceSlot, _ id: IDGuess) {
    slots = [slot]
    idName = id.name
    identity = id.identity
    certainty = id.certainty
    ownReason = id.reason
    if let member = id.name.flatMap(slot.known), !member.hasStrings { numbers = member.numbers }
    readNames()
  }

  private func readNames() {
    nameWords = Set(slots.map { EntityNames.words(EntityNames.singular($0.name)) })
    memberSet = Set(memberNames.map(ExactString.init))
  }

  /// Adds the slots of another group.
  func merge(_ other: EntityGroup, because reason: String?) {
    slots = (slots + other.slots).sorted { $0.position < $1.position }
    identity.merge(other.identity)
    if let mine = numbers, let theirs = other.numbers {
      numbers =
        min(mine.lowerBound, theirs.lowerBound)...max(mine.upperBound, theirs.upperBound)
    } else {
      numbers = nil
    }
    // The more certain guess of the two applies to all slots of the entity.
    if other.certainty > certainty {
      (certainty, ownReason) = (other.certainty, other.ownReason)
    }
    unions += other.unions
    if let reason {
      certainty = min(certainty, .likely)
      unions.append(reason)
    }
    if let problem = identity.problem(among: records) {
      (certainty, ownReason) = (.unsure, problem)
    }
  }

  /// The evidence that the records are rows of one entity.
  var reason: String {
    let agreement = identity.repeats > 0 ? "records of one ID agree" : "every ID is unique"
    let counted =
      "\(records.counted("record")), \(identity.ids.count.counted("ID")), \(agreement)"
    return ([ownReason ?? counted] + unions).joined(separator: "; ")
  }

  /// The number of records of all slots.
  var records: Int { slots.reduce(0) { $0 + $1.records } }

  /// The names of the members, in order of first occurrence.
  var memberNames: [String] {
    var seen: Set<ExactString> = []
    return slots.flatMap { $0.members.map(\.name) }.filter { seen.insert(ExactString($0)).inserted }
  }

  /// Returns the members with a name, at most one of each slot.
  func members(_ name: String) -> [InferenceMember] { slots.compactMap { $0.known(name) } }

  /// Returns the similarity of two groups' records: 1 if they have the same members, 0 if they have
  /// none in common.
  func likeness(to other: EntityGroup) -> Double {
    let common = memberSet.count { other.memberSet.contains($0) }
    let all = memberSet.count + other.memberSet.count - common
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}
