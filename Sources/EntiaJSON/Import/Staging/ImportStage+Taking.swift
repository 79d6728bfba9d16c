extension ImportStage {
  /// Takes one occurrence of a record: as a new row, or beside what is known of the row already.
  func take(
    _ entity: EntityStage, _ key: RecordKey, _ names: [ExactString], _ values: [RecordValue],
    from origin: Origin
  ) {
    guard let index = entity.index[key] ?? stageDatabaseRow(entity, key) else {
      checkSpelling(entity, key, origin)
      entity.index[key] = entity.rows.count
      entity.rows.append(
        StagedRow(key: key, names: names, values: values, origin: origin, isChanged: true))
      counts.inserted += 1
      return
    }
    let (differing, isExtended) = entity.rows[index].compare(names, values)
    guard !differing.isEmpty else {
      // Another part of the row, or nothing new: neither contradicts what is known.
      if isExtended { entity.rows[index].merge(names, values, from: origin) }
      count(isUpdated: isExtended)
      return
    }
    switch policy {
    case .error:
      let members = differing.map(\.string.quoted).joined(separator: ", ")
      let other = entity.rows[index].origin(of: differing[0])
      problems.add(
        .conflict, at: origin, other: other,
        "\(RecordID(entity: entity.name, key: key)) differs in \(members) from the one in")
    case .replace:
      entity.rows[index].names = names
      entity.rows[index].values = values
      entity.rows[index].origin = origin
      entity.rows[index].memberOrigins = [:]
      entity.rows[index].isChanged = true
      count(isUpdated: true)
    case .keep:
      count(isUpdated: false)
    case .merge:
      entity.rows[index].merge(names, values, from: origin)
      count(isUpdated: true)
    }
  }

  private func count(isUpdated: Bool) {
    if isUpdated { counts.updated += 1 } else { counts.unchanged += 1 }
  }

  private func stageDatabaseRow(_ entity: EntityStage, _ key: RecordKey) -> Int? {
    guard let record = databaseRow(RecordID(entity: entity.name, key: key)) else { return nil }
    entity.index[key] = entity.rows.count
    entity.rows.append(
      StagedRow(
        key: key, names: record.names, values: record.values, origin: .database, isChanged: false))
    return entity.rows.count - 1
  }

  /// Tells an ID that is written like one of another type: `1` beside `"1"`.
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
    if let index = entity.index[other] {
      place = entity.rows[index].origin
    } else if databaseRow(RecordID(entity: entity.name, key: other)) != nil {
      place = .database
    } else {
      return
    }
    problems.add(
      .typeMismatch, at: origin, other: place,
      "\(RecordID(entity: entity.name, key: key)) is written like the ID \(other), of another "
        + "type, in")
  }
}
