extension ImportRun {
  /// Returns the composite ID of a record. Reports problems of its parts.
  func madeKey(
    of entity: EntityStage, _ members: [(name: String, value: RecordValue)], at offset: Int
  ) -> RecordKey? {
    var key = SynthesizedKey()
    var isWhole = true
    for field in entity.idFields {
      let name = entity.fieldNames[field].string
      let value = members.first { $0.name.isExactly(name) }?.value
      if let part = value?.key {
        key.append(part)
        continue
      }
      isWhole = false
      let what =
        switch value {
        case nil: "has no \(name.quoted), which is a part of its ID"
        case .plain(let text):
          "has \(text.kindDescription) as \(name.quoted); a part of an ID is a number, a string or one row"
        case .reference, .references:
          "has a list as \(name.quoted); a part of an ID is a number, a string or one row"
        }
      stage.problems.add(
        .missingID, at: stage.origin(offset), "this record of \(entity.name) \(what)")
    }
    return isWhole ? .string(key.text) : nil
  }

  /// Returns whether a record's ID equals the composite of its members. Reports a problem if not.
  func hasSynthesizedID(
    _ id: String, _ entity: EntityStage, _ members: [(name: String, value: RecordValue)],
    at offset: Int
  ) -> Bool {
    guard !entity.idFields.isEmpty else { return true }
    guard let made = madeKey(of: entity, members, at: offset) else { return false }
    if made.text.isExactly(id) { return true }
    addMismatch(
      at: offset,
      "the id of this record of \(entity.name) is \(id.quoted), and its members make \(made)")
    return false
  }
}

extension RecordValue {
  /// The ID that the value is or refers to; nil if it is not an ID.
  fileprivate var key: RecordKey? {
    switch self {
    case .plain(let text): text.isKey ? text.key : nil
    case .reference(let id): id.key
    case .references: nil
    }
  }
}
