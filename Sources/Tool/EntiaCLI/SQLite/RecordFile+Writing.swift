import EntiaCollections
import EntiaDatabase
import EntiaJSON
import EntiaRecords
import EntiaSQLite

extension RecordFile {
  /// Writes a database as the bytes of a file.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - pieces: A closure that is called with each piece, in order.
  /// - Throws: A `RecordFileError` for rows that SQLite cannot store, such as a row with too many
  ///   members; the error of the closure.
  /// - Complexity: O(size of the database) in time and memory.
  static func write<Failure: Error>(
    _ database: RecordDatabase, to pieces: ([UInt8]) throws(Failure) -> Void
  ) throws {
    let file = try UntypedFile.describingErrors(of: "the database") {
      let file = try UntypedFile()
      try file.connection.execute("BEGIN")
      try file.connection.execute(definitions)
      try writeDescription(of: database, to: file)
      var rows: [ExactString: [Record]] = [:]
      for record in database.table {
        rows[ExactString(record.id.entity), default: []].append(record)
      }
      let entities = database.schema.entities
      let forms = ReferenceForms(entities)
      let targets = entities.filter { rows[ExactString($0.name)] != nil }
      for entity in targets {
        guard let rows = rows[ExactString(entity.name)] else { continue }
        try EntityWriting(entity, forms, file, targets: targets).write(rows)
      }
      try file.recordSums(with: ["entia_records", "entia_members", "entia_spellings"])
      try file.connection.execute("COMMIT")
      return file
    }
    try file.connection.withFileBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(start + pieceSize, bytes.count)
        try pieces(Array(bytes[start..<end]))
        start = end
      }
    }
  }

  private static let pieceSize = 1 << 18

  private static func writeDescription(
    of database: RecordDatabase, to file: UntypedFile
  ) throws {
    let insert = try file.connection.prepare("INSERT INTO entia_records VALUES (?, ?)")
    let schema = String(decoding: database.schema.bytes(), as: UTF8.self)
    for (key, text) in [("schema", schema), ("result", database.resultText)] {
      try insert.run([.text(key), .text(text)])
    }
  }
}

/// Writes the rows of one entity.
private struct EntityWriting {
  private let entity: Schema.Entity
  private let forms: ReferenceForms
  private let file: UntypedFile

  /// The entities that have a table, by name.
  private let targets: [ExactString: Schema.Entity]

  init(
    _ entity: Schema.Entity, _ forms: ReferenceForms, _ file: UntypedFile, targets: [Schema.Entity]
  ) {
    self.entity = entity
    self.targets = Dictionary(uniqueKeysWithValues: targets.map { (ExactString($0.name), $0) })
    self.forms = forms
    self.file = file
  }

  /// SQLite's limit is 2,000 columns. Two of them are for the order and for a separate ID.
  private static let maximumMembers = 1998

  func write(_ rows: [Record]) throws {
    let (kinds, hasIntegerID) = columns(of: rows)
    let names = MemberOrder(rows).names
    // An ID that is not composite is the first column.
    let hasIDColumn = !entity.hasCompositeID
    let members = (hasIDColumn ? [entity.idName] : []) + names.map(\.string)
    if members.count > Self.maximumMembers {
      throw RecordFileError(
        isBadData: false,
        description:
          "\(entity.name) has \(members.count) members, and a table of SQLite has columns "
          + "for \(Self.maximumMembers); write JSON, which has no such limit")
    }
    let (part, inserting) = try file.addPart(
      entity.name, members: members,
      descriptions: try descriptions(of: names, kinds, first: hasIDColumn ? 1 : 0),
      idIndex: hasIDColumn ? 0 : nil, hasIntegerID: hasIntegerID)
    try file.recordRowCount(rows.count, of: part)
    try write(kinds, names)
    let spelling = try file.connection.prepare(
      "INSERT INTO entia_spellings VALUES (?, ?, ?, ?)", isKept: true)
    let first = hasIDColumn ? 1 : 0
    let links = Set(names.filter { target(of: $0) != nil })
    let parameters = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, $0 + first) })
    for (index, row) in rows.enumerated() {
      for parameter in 0..<members.count { try inserting.bind(.null, at: parameter) }
      let id = UntypedValue(row.id.key).idForm
      try inserting.bind(id, at: hasIDColumn ? 0 : members.count)
      for (name, value) in row.members {
        guard let parameter = parameters[ExactString(name)] else { continue }
        let kind = kinds[ExactString(name)] ?? .mixed
        let untyped = untyped(value, of: name)
        // In a column with a foreign key, both `null` and a missing member are stored as NULL. Only
        // `null` also gets a row in `entia_spellings`, which distinguishes the two.
        let (form, text) =
          untyped == .null && links.contains(ExactString(name))
          ? (.null, "null") : untyped.form(in: kind)
        try inserting.bind(form, at: parameter)
        guard let text else { continue }
        try spelling.run([.text(entity.name), .text(name), id, .text(text)])
      }
      try inserting.bind(
        UntypedFile.order(ofRowAt: index), at: members.count + (hasIDColumn ? 0 : 1))
      try inserting.run()
    }
  }

  /// Returns the entity whose table a member refers to; `nil` for a member that is no link.
  private func target(of name: ExactString) -> Schema.Entity? {
    guard let relationship = entity.relationship(name.string), !relationship.isMany,
      relationship.typeName == nil
    else { return nil }
    return targets[ExactString(relationship.target)]
  }

  /// Returns the types and foreign keys of the members' columns, by the index of the column.
  ///
  /// A column of Boolean values is BOOLEAN. Other columns have no type, because SQLite may convert
  /// the values of a column with a type. A program may store a value in a form other than that in
  /// JSON, such as a decimal number as text or a date as a number.
  private func descriptions(
    of names: [ExactString], _ kinds: [ExactString: UntypedValue.ColumnKind], first: Int
  ) throws -> [Int: String] {
    var descriptions: [Int: String] = [:]
    for (index, name) in names.enumerated() {
      var parts: [String] = []
      if kinds[name] == .booleans { parts.append("BOOLEAN") }
      if let target = target(of: name) {
        parts.append(
          try file.reference(
            to: target.name, idName: target.hasCompositeID ? nil : target.idName))
      }
      if !parts.isEmpty { descriptions[first + index] = parts.joined(separator: " ") }
    }
    return descriptions
  }

  /// Returns the kind of the column of each member, and whether all IDs are integers.
  private func columns(
    of rows: [Record]
  ) -> (kinds: [ExactString: UntypedValue.ColumnKind], hasIntegerID: Bool) {
    var kinds: [ExactString: UntypedValue.ColumnKind?] = [:]
    var hasIntegerID = !entity.hasCompositeID
    for row in rows {
      if case .integer = UntypedValue(row.id.key).idForm {
      } else {
        hasIntegerID = false
      }
      for (name, value) in row.members {
        let name = ExactString(name)
        let kind = untyped(value, of: name.string).columnKind
        switch (kinds[name], kind) {
        case (nil, _), (.some(nil), _): kinds[name] = .some(kind)
        case (.some(let known?), let kind?) where known != kind: kinds[name] = .some(.mixed)
        default: break
        }
      }
    }
    return (kinds.mapValues { $0 ?? .mixed }, hasIntegerID)
  }

  private func write(
    _ kinds: [ExactString: UntypedValue.ColumnKind], _ names: [ExactString]
  ) throws {
    let insert = try file.connection.prepare("INSERT INTO entia_members VALUES (?, ?, ?)")
    for name in names {
      guard let kind = kinds[name], kind != .mixed else { continue }
      try insert.run([.text(entity.name), .text(name.string), .text(kind.rawValue)])
    }
  }

  private func untyped(_ value: RecordValue, of name: String) -> UntypedValue {
    UntypedValue(value, by: entity.relationship(name), forms)
  }
}

extension UntypedValue {
  /// Creates the value of a member.
  ///
  /// - Parameters:
  ///   - value: The value of the row.
  ///   - relationship: The relationship of the member; `nil` if the member has no relationship.
  ///   - forms: The forms of references.
  init(_ value: RecordValue, by relationship: Schema.Relationship?, _ forms: ReferenceForms) {
    switch value {
    case .plain(let text): self.init(text)
    case .reference(let id) where relationship?.typeName == nil: self.init(id.key)
    case .reference, .references: self = .nested(forms.text(of: value, by: relationship))
    }
  }

  /// Creates the value of an ID.
  init(_ key: RecordKey) {
    switch key {
    case .number(let number): self = .number(number.text)
    case .string(let string): self = .string(string)
    }
  }

  /// Creates the value of a member that is no reference.
  fileprivate init(_ text: JSONText) {
    switch text.text.utf8.first {
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case UInt8(ascii: "\""): self = text.string.map(Self.string) ?? .nested(text.text)
    case UInt8(ascii: "["), UInt8(ascii: "{"): self = .nested(text.text)
    default: self = .number(text.text)
    }
  }
}
