import EntiaCoding
import EntiaJSON

// Derived IDs: composed of several members, or of the parent's ID and the position in the parent.
extension RecordReader {
  /// Returns the row with the composite ID of a record. Reports problems of its parts.
  func compositeRow(of frame: Frame, _ reader: borrowing JSONReader) -> Int? {
    var key = SynthesizedKey()
    var isWhole = true
    for field in frame.entity.idFields {
      if let part = part(field, of: frame, reader) {
        key.append(part)
      } else {
        isWhole = false
      }
    }
    return isWhole ? frame.entity.position(of: .string(key.text)) : nil
  }

  private func part(
    _ field: Int, of frame: Frame, _ reader: borrowing JSONReader
  ) -> RecordKey? {
    let name = frame.entity.fieldNames[field].string.quoted
    guard let index = stack.fields.elements(from: frame.mark.members).firstIndex(of: field) else {
      stage.problems.add(
        .missingID, at: frame.origin,
        "this record of \(frame.entity.name) has no \(name), which is a part of its ID")
      return nil
    }
    let member = stack.members[frame.mark.members + index]
    func add(_ message: String) {
      stage.problems.add(.missingID, at: stage.origin(member.offset), message)
    }
    if member.kind == .one {
      let target = stack.targets[member.start]
      if DeferredRow.index(target) == nil { return target.key }
      add(
        "\(name) is a part of the ID of this record of \(frame.entity.name), and the record that it "
          + "refers to has no ID of its own")
      return nil
    }
    let text = stack.withText(of: member, reader) { bytes in
      bytes.map { JSONText(canonical: String(decoding: $0, as: UTF8.self)) }
    }
    // A refused value has no text, and has already been reported.
    guard let text else { return nil }
    if text.isKey, let key = text.key { return key }
    add(
      "\(name) of this record of \(frame.entity.name) is a part of its ID: expected a number, a "
        + "string or one row, found \(text.kindDescription)")
    return nil
  }

  // MARK: Natural keys

  /// Reads a natural key of Django: a list of the values from which the ID of a row is made.
  /// Reports a problem if it is invalid.
  func readNaturalKey(
    _ top: Int, of target: EntityStage, _ reader: inout JSONReader
  ) throws(JSONError) {
    let start = reader.tokenStart
    var parts: [RecordKey] = []
    var isKey = true
    while true {
      let token = try reader.next()
      switch token {
      case .endArray:
        guard isKey, parts.count == max(1, target.idFields.count) else {
          let names = target.idFields.map { target.fieldNames[$0].string.quoted }
          let id = names.isEmpty ? target.idName.string.quoted : names.joined(separator: " and ")
          return stage.problems.add(
            .typeMismatch, at: stage.origin(start),
            "\(describe(top)) refers to a row of \(target.name) by a natural key: expected an "
              + "array with the values of \(id), found another array")
        }
        let key = target.idFields.isEmpty ? parts[0] : RecordKey(composedOf: parts)
        let row = target.position(of: key)
        if target.idFields.isEmpty {
          target.naturalKeys.append(
            NaturalKeyReference(
              origin: stage.origin(start), entity: frames[top].entity.position,
              field: frames[top].field, row: row))
        }
        return appendReference(to: target.rows[row].id, top)
      case .number: parts.append(.number(reader.number()))
      case .string: parts.append(.string(reader.string()))
      default:
        isKey = false
        try reader.skipValue(token)
      }
    }
  }

  // MARK: Parents

  /// Defers a record without an ID until the ID of its parent is known.
  ///
  /// - Returns: False if the record has no parent.
  func `defer`(
    _ frame: Frame, _ shape: RowShape, _ reader: borrowing JSONReader
  ) -> Bool {
    guard frames.count > 0 else { return false }
    let parent = frames.count - 1
    let record = frames[parent].isList ? parent - 1 : parent
    let position = frames[parent].isList ? frame.mark.targets - frames[parent].mark.targets : nil
    let targets = stack.write(shape, from: frame.mark, reader, to: &texts)
    deferred.append(
      DeferredRow(
        entity: frame.entity,
        member: frames[record].entity.fieldNames[frames[record].field].string,
        position: position, names: shape.names, targets: targets, texts: Array(texts.elements),
        origin: frame.origin))
    deferredResult = DeferredRow.placeholder(deferred.count - 1)
    return true
  }

  /// Removes and returns the placeholder of the last deferred record.
  func takeDeferred() -> RecordID? {
    guard deferredResult != nil else { return nil }
    defer { deferredResult = nil }
    return deferredResult
  }

  /// Stages the deferred records of a row whose ID is known, and recursively the records inside
  /// them.
  ///
  /// - Returns: The targets of the row, with placeholders replaced by IDs.
  func resolveDeferred(_ named: RecordTargets, of parent: RecordID, from start: Int)
    -> RecordTargets
  {
    var rows: [Int: Int] = [:]
    var open: [(index: Int, parent: SynthesizedKey)] = []
    func wait(_ targets: RecordTargets, for parent: SynthesizedKey) {
      targets.visit { id in
        if let index = DeferredRow.index(id) { open.append((index, parent)) }
      }
    }
    wait(named, for: SynthesizedKey(parent: parent, isSynthesized: false))
    var order: [Int] = []
    while let (index, parent) = open.popLast() {
      let row = deferred[index]
      var key = parent
      key.append(step: row.member)
      if let position = row.position { key.append(step: String(position)) }
      guard key.text.utf8.count <= SynthesizedKey.maximumLength else {
        stage.problems.add(
          .missingID, at: row.origin,
          "the ID that this record of \(row.entity.name) takes from its parent is longer than "
            + "\(SynthesizedKey.maximumLength) bytes; give it one of its own")
        continue
      }
      rows[index] = row.entity.position(of: .string(key.text))
      order.append(index)
      wait(row.targets, for: key)
    }
    func settled(_ targets: RecordTargets) -> RecordTargets {
      var ids: [RecordID] = []
      targets.visit { id in
        guard let index = DeferredRow.index(id) else { return ids.append(id) }
        if let row = rows[index] { ids.append(deferred[index].entity.rows[row].id) }
      }
      return RecordTargets(ids)
    }
    for index in order.reversed() {
      guard let position = rows[index] else { continue }
      let row = deferred[index]
      let targets = settled(row.targets)
      row.texts.withUnsafeBufferPointer { texts in
        stage.upsert(
          row.entity, position,
          ImportStage.Members(names: row.names, targets: targets, texts: texts), from: row.origin)
      }
    }
    defer { deferred.removeSubrange(start...) }
    return settled(named)
  }
}
