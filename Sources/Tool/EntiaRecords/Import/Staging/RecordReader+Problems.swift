import EntiaCoding
import EntiaJSON

// The problems of records that are read.
extension RecordReader {
  func describe(_ top: Int) -> String {
    let entity = frames[top].entity
    return "\(entity.fieldNames[frames[top].field].string.quoted) of \(entity.name)"
  }

  func addMismatch(_ reader: JSONReader, _ message: String) {
    stage.problems.add(.typeMismatch, at: stage.origin(reader.tokenStart), message)
  }

  func addDuplicate(at origin: Origin) {
    stage.problems.add(.duplicateKey, at: origin, "the object already has a member of this name")
  }

  func addMissingID(_ frame: Frame, _ reader: borrowing JSONReader) {
    let entity = frame.entity
    let name = entity.idName.string.quoted
    let record = "this record of \(entity.name)"
    let message: String
    let cause: String
    switch frame.idToken {
    case nil where frame.origin.hasFields:
      let lack =
        "no pk and no field \(name), as after dumpdata --natural-primary; name the field "
        + "that is the ID in a schema"
      message = "this record of \(entity.name) has \(lack)"
      cause = lack
      entity.idCandidates.add(possibleIDs(frame, reader))
    case nil:
      let place =
        entity.takesIDFromParent ? " and is not nested in a row that could provide one" : ""
      message = "\(record) has no \(name)\(place)"
      cause = "no \(name)\(place)"
      entity.idCandidates.add(possibleIDs(frame, reader))
    case .null:
      message = "the \(name) of \(record) is null"
      cause = "\(name) is null"
    case .some(let token):
      let rule = "\(token.kindDescription); an ID is a number or a string"
      message = "the \(name) of \(record) is \(rule)"
      cause = "\(name) is \(rule)"
    }
    stage.problems.add(
      .missingID, at: frame.origin, message,
      cause: ImportProblem.Cause(entity: entity.name, cause))
  }

  /// Returns the members of a completed record with values that could be IDs.
  private func possibleIDs(
    _ frame: Frame, _ reader: borrowing JSONReader
  ) -> [IDCandidates.Member] {
    (frame.mark.members..<stack.members.count).compactMap { index -> IDCandidates.Member? in
      stack.withText(of: stack.members[index], reader) { text in
        guard let text, Self.mayBeID(text) else { return nil }
        return (stack.fields[index], ValueHash.of(text, tag: 0))
      }
    }
  }

  /// Returns whether a value is a string or an integer.
  private static func mayBeID(_ text: some Collection<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    return first == Byte.quote || first == Byte.minus && text.dropFirst().allSatisfy(Byte.isDigit)
      || text.allSatisfy(Byte.isDigit)
  }
}
