/// A guess of the ID member of a slot's records.
struct IDGuess {
  let name: String?
  let identity: RecordIdentity
  let certainty: SchemaInference.Certainty
  /// The evidence; nil if the numbers of records and IDs are the only evidence.
  let reason: String?
}

extension InferenceSlot {
  /// Returns a guess of the records' ID, or nil if they seem to have none.
  ///
  /// Records at the top level and in tables are always entities, so their most likely ID member is
  /// used. Nested records are entities only if they have an ID without contradictions.
  func guessID() -> IDGuess? {
    if let given, given.records == records {
      let problem = given.problem(among: records)
      return IDGuess(
        name: nil, identity: given, certainty: problem == nil ? .sure : .unsure,
        reason: problem ?? "\(records.counted("row")), with the ID in pk")
    }
    let ranked = members.filter { $0.rank != nil }.sorted { ($0.rank ?? 0) < ($1.rank ?? 0) }
    for member in ranked {
      if let guess = guessID(member) { return guess }
    }
    guard origin != .member else { return nil }
    // The name under which a record is stored is its ID only if the record has no ID member.
    if known(knownID ?? "id") == nil, let keyed, keyed.ids.count == records {
      return IDGuess(
        name: nil, identity: keyed, certainty: .likely,
        reason:
          "\(records.counted("row")), each under another name, and no member that could be an ID")
    }
    return fallbackID(ranked)
  }

  private func guessID(_ member: InferenceMember) -> IDGuess? {
    guard let identity = member.identity, let rank = member.rank,
      identity.problem(among: records) == nil
    else { return nil }
    let isStrong = rank < EntityNames.firstWeakRank
    // A member with a name such as `code` or `number` need not be an ID. It counts as the ID only
    // in two cases: some records with the same value agree in their other members, or the records
    // are at the top level or in a table.
    guard isStrong || identity.repeats > 0 || origin != .member else { return nil }
    return IDGuess(
      name: member.name, identity: identity, certainty: isStrong && records > 1 ? .sure : .likely,
      reason: nil)
  }

  private func fallbackID(_ ranked: [InferenceMember]) -> IDGuess? {
    if let member = ranked.first, let identity = member.identity, identity.records > 0 {
      return IDGuess(
        name: member.name, identity: identity, certainty: .unsure,
        reason: identity.problem(among: records))
    }
    // An ID that the input declares is not replaced by another member.
    guard knownID == nil else { return nil }
    let unique = members.first {
      $0.values.keys == records && $0.keys.count == records
        && $0.elements.keys == 0 && records > 1 && !$0.isText
        && !($0.hasStrings && $0.numbers != nil)
    }
    guard let unique else { return nil }
    return IDGuess(
      name: unique.name, identity: RecordIdentity(ids: unique.keys), certainty: .likely,
      reason: "the first member with another value in each of \(records) records")
  }
}
