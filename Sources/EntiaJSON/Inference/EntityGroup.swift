/// Places that hold records of one entity.
final class EntityGroup {
  private(set) var slots: [InferenceSlot] {
    didSet { readNames() }
  }
  /// The words that the places are called, each in the singular.
  private(set) var nameWords: Set<[String]> = []
  private var memberSet: Set<ExactString> = []
  /// The member that is the ID; nil if it stands outside the records, or if there is none.
  let idName: String?
  private(set) var identity: RecordIdentity
  /// The smallest and the largest ID, if all are integers.
  private(set) var numbers: ClosedRange<Int>?
  private(set) var certainty: SchemaInference.Certainty
  private var ownReason: String?
  private var unions: [String] = []
  var name = ""

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

  /// Takes the places of another group.
  func merge(_ other: EntityGroup, because reason: String?) {
    slots = (slots + other.slots).sorted { $0.position < $1.position }
    identity.merge(other.identity)
    if let mine = numbers, let theirs = other.numbers {
      numbers =
        min(mine.lowerBound, theirs.lowerBound)...max(mine.upperBound, theirs.upperBound)
    } else {
      numbers = nil
    }
    // What is sure of one place is sure of all that are the same.
    if other.certainty > certainty {
      (certainty, ownReason) = (other.certainty, other.ownReason)
    }
    unions += other.unions
    if let reason {
      certainty = min(certainty, .likely)
      unions.append(reason)
    }
  }

  /// What speaks for the records being rows of one entity.
  var reason: String {
    let agreement = identity.repeats > 0 ? "records of one ID agree" : "each ID comes once"
    let counted =
      "\(records) \(records == 1 ? "record" : "records"), \(identity.ids.count) "
      + "\(identity.ids.count == 1 ? "ID" : "IDs"), \(agreement)"
    return ([ownReason ?? counted] + unions).joined(separator: "; ")
  }

  /// How many records were seen, at all places.
  var records: Int { slots.reduce(0) { $0 + $1.records } }

  /// The names of the members, in the order met first.
  var memberNames: [String] {
    var seen: Set<ExactString> = []
    return slots.flatMap { $0.members.map(\.name) }.filter { seen.insert(ExactString($0)).inserted }
  }

  /// A member, as each place has it.
  func members(_ name: String) -> [InferenceMember] { slots.compactMap { $0.known(name) } }

  /// How alike two groups' records are: 1 for the same members, 0 for none in common but the ID.
  func likeness(to other: EntityGroup) -> Double {
    let common = memberSet.count { other.memberSet.contains($0) }
    let all = memberSet.count + other.memberSet.count - common
    return all == 0 ? 0 : Double(common) / Double(all)
  }
}
