import EntiaCoding
import EntiaDatabase
import EntiaJSON

extension ImportStage {
  /// The members of one occurrence of a record: names, and texts and targets in the stored form.
  struct Members {
    let names: MemberNames
    let targets: RecordTargets
    let texts: UnsafeBufferPointer<UInt8>
    /// The record, if it has been built already.
    var built: Record?

    func record(_ id: RecordID) -> Record {
      built ?? Record(body: RecordBody.make(id: id, names: names, targets: targets, texts: texts))
    }
  }

  /// Stages one occurrence of a record that has been built already.
  func upsert(_ entity: EntityStage, _ position: Int, _ record: Record, from origin: Origin) {
    record.body.withTexts { texts in
      upsert(
        entity, position,
        Members(
          names: record.body.names, targets: record.body.targets, texts: texts, built: record),
        from: origin)
    }
  }

  /// Stages one occurrence of a record: as a new row, or combined with the existing row.
  func upsert(_ entity: EntityStage, _ position: Int, _ members: Members, from origin: Origin) {
    // Rows that occur again are the most frequent, and nothing of them is retained here.
    if entity.policy == nil, entity.hasRow(at: position, members) {
      counts.unchanged += 1
      return
    }
    let id = entity.rows[position].id
    if entity.rows[position].record == nil {
      let stored = databaseRow(id)
      entity.markSeen(position)
      guard let stored else {
        checkSpelling(entity, id.key, origin)
        entity.replaceRow(at: position, with: members.record(id), from: origin)
        counts.inserted += 1
        return
      }
      entity.rows[position].record = stored
    }
    guard let known = entity.rows[position].record else { return }
    if let policy = entity.policy {
      combinesStoredRows = combinesStoredRows || !base.isEmpty
      return merge(entity, position, known, members.record(id), by: policy, from: origin)
    }
    if known.body.hasMembers(members.names, members.targets, members.texts) {
      counts.unchanged += 1
    } else {
      combinesStoredRows = combinesStoredRows || !base.isEmpty
      combine(entity, position, known, members.record(id), from: origin)
    }
  }

  private func combine(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record, from origin: Origin
  ) {
    let (differing, isExtended) = known.compare(record)
    if differing.isEmpty || policy == .merge {
      // The occurrence has other members of the row, or nothing new: neither contradicts the known
      // content.
      let isChanged = isExtended || !differing.isEmpty
      if isChanged { merge(entity, position, known, record, from: origin) }
      return count(isUpdated: isChanged)
    }
    switch policy {
    case .error:
      let members = differing.map(\.string.quoted).joined(separator: ", ")
      problems.add(
        .conflict, at: origin, other: entity.origin(of: differing[0], at: position),
        "\(known.id) differs in \(Self.values(differing, record, known)) from the one in",
        cause: ImportProblem.Cause(
          entity: entity.name, "records of one ID differ in \(members)"))
    case .replace:
      entity.replaceRow(at: position, with: record, from: origin)
      count(isUpdated: true)
    case .keep, .merge:
      count(isUpdated: false)
    }
  }

  /// Returns a description of the members in which two occurrences of a row differ, with both
  /// values.
  private static func values(
    _ differing: [ExactString], _ here: Record, _ there: Record
  ) -> String {
    func text(_ value: RecordValue?) -> String {
      switch value {
      case .plain(let text): text.text.excerpt()
      case .reference(let id): id.key.description
      case .references(let ids):
        "[\(ids.prefix(5).map(\.key.description).joined(separator: ","))\(ids.count > 5 ? ",…" : "")]"
      case nil: "nothing"
      }
    }
    let shown = differing.prefix(5).map { name in
      "\(name.string.quoted) (\(text(here[name.string])) here, \(text(there[name.string])) there)"
    }
    let more = differing.count - shown.count
    return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private func merge(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record, from origin: Origin
  ) {
    let (merged, changed) = known.merging(record)
    entity.rows[position].record = merged
    entity.rows[position].isChanged = true
    for name in changed { entity.memberOrigins[position, default: [:]][name] = origin }
  }

  private func merge(
    _ entity: EntityStage, _ position: Int, _ known: Record, _ record: Record,
    by policy: MergePolicy<Record>, from origin: Origin
  ) {
    let merged = policy.merged(known, with: record)
    guard merged.id == known.id else {
      return problems.add(
        .inconsistency, at: origin,
        "the merge policy of \(entity.name) makes \(merged.id) of \(known.id); a merge keeps the ID"
      )
    }
    let isUpdated = merged != known
    if isUpdated {
      entity.replaceRow(at: position, with: merged, from: origin)
    }
    count(isUpdated: isUpdated)
  }

  private func count(isUpdated: Bool) {
    if isUpdated { counts.updated += 1 } else { counts.unchanged += 1 }
  }

  /// Reports an ID with the same text as an ID of another type: `1` and `"1"`.
  private func checkSpelling(_ entity: EntityStage, _ key: RecordKey, _ origin: Origin) {
    switch key {
    case .number(let number):
      entity.hasNumbers = true
      if !number.isPlainInteger { entity.hasOddNumbers = true }
    case .string:
      entity.hasStrings = true
    }
    guard (entity.hasNumbers && entity.hasStrings) || !base.isEmpty, let other = key.otherType
    else { return }
    let place: Origin
    if let row = entity.row(of: other) {
      place = row.origin
    } else if databaseRow(RecordID(RecordIDNode(entity: entity.label, key: other))) != nil {
      place = .database
    } else {
      return
    }
    problems.add(
      .typeMismatch, at: origin, other: place,
      "\(RecordID(entity: entity.name, key: key)) has the same text as the ID \(other), of another "
        + "type, in",
      cause: ImportProblem.Cause(
        entity: entity.name, "an ID is a number in one place and a string in another"))
  }
}
