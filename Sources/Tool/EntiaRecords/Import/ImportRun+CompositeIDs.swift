import EntiaCoding
import EntiaJSON

extension ImportRun {
  /// Returns the composite ID of a record. Reports problems of its parts.
  func compositeKey(
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
      var message = "this record of \(entity.name) has no \(name.quoted), which is a part of its ID"
      if let value {
        let found = if case .plain(let text) = value { text.kindDescription } else { "an array" }
        message =
          "\(name.quoted) of this record of \(entity.name) is a part of its ID: expected a number, "
          + "a string or one row, found \(found)"
      }
      stage.problems.add(.missingID, at: stage.origin(offset), message)
    }
    return isWhole ? .string(key.text) : nil
  }

  /// Returns whether a record's ID equals the composite of its members. Reports a problem if not.
  func hasSynthesizedID(
    _ id: String, _ entity: EntityStage, _ members: [(name: String, value: RecordValue)],
    at offset: Int
  ) -> Bool {
    guard !entity.idFields.isEmpty else { return true }
    guard let key = compositeKey(of: entity, members, at: offset) else { return false }
    if key.text.isExactly(id) { return true }
    addMismatch(
      at: offset,
      "the id of this record of \(entity.name) is \(id.quoted), but its members result in \(key)")
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
