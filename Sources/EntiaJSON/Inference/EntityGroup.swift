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

/// Which member of the records of one place is their ID.
struct IDGuess {
  let name: String?
  let identity: RecordIdentity
  let certainty: SchemaInference.Certainty
  /// What speaks for it, beside the numbers of records and IDs.
  let reason: String?
}

extension InferenceSlot {
  /// The ID of the records here; nil if they seem to have none.
  ///
  /// Records at the top and in tables are entities whatever they look like, so that of them the
  /// likeliest member is taken; nested ones only if they have an ID that nothing speaks against.
  func guessID() -> IDGuess? {
    if let given {
      return IDGuess(
        name: nil, identity: given, certainty: .sure, reason: "\(records) rows, with the ID in pk")
    }
    let ranked = members.filter { $0.rank != nil }.sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
    for member in ranked {
      if let guess = guessID(member) { return guess }
    }
    guard origin != .member else { return nil }
    if ranked.isEmpty, let keyed, keyed.ids.count == records {
      return IDGuess(
        name: nil, identity: keyed, certainty: .likely,
        reason: "\(records) rows, each under another name, and no member that could be an ID")
    }
    return fallbackID(ranked)
  }

  private func guessID(_ member: InferenceMember) -> IDGuess? {
    guard let identity = member.identity, let rank = member.rank, identity.records == records,
      identity.contradictions == 0
    else { return nil }
    let isStrong = rank < EntityNames.firstWeakRank
    // A code or a number may be anything; only that it comes again with the same content, or once
    // each in a list of its own, makes it an ID.
    guard isStrong || identity.repeats > 0 || origin != .member else { return nil }
    return IDGuess(
      name: member.name, identity: identity, certainty: isStrong && records > 1 ? .sure : .likely,
      reason: nil)
  }

  private func fallbackID(_ ranked: [InferenceMember]) -> IDGuess? {
    if let member = ranked.first, let identity = member.identity, identity.records > 0 {
      let lacking = records - identity.records
      let problem =
        lacking > 0
        ? "\(lacking) of \(records) records lack it"
        : "\(identity.contradictions) of \(records) records contradict another of their ID"
      return IDGuess(name: member.name, identity: identity, certainty: .unsure, reason: problem)
    }
    let unique = members.first {
      $0.values.keys == records && $0.keys.count == records
        && $0.elements.keys == 0 && records > 1
    }
    guard let unique else { return nil }
    var identity = RecordIdentity()
    identity.ids = unique.keys
    return IDGuess(
      name: unique.name, identity: identity, certainty: .likely,
      reason: "the first member with another value in each of \(records) records")
  }
}
