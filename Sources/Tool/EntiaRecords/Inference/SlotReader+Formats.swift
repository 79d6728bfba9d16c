import EntiaCoding
import EntiaJSON

extension SlotReader {
  /// Reads an array of records, or a single record.
  mutating func readNested(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    if token == .beginArray { return try readList(slot, from: &reader) }
    if token == .beginObject { return try readRecord(slot, from: &reader) }
    try reader.skipValue(token)
  }

  /// Reads the records of the array that has begun; elements that are not objects are ignored.
  private mutating func readList(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    while true {
      let token = try reader.next()
      if token == .endArray { return }
      if token == .beginObject {
        try readRecord(slot, from: &reader)
      } else {
        try reader.skipValue(token)
      }
    }
  }

  /// Reads a record on each line.
  mutating func readLines(
    _ slot: InferenceSlot, _ window: ByteWindow
  ) throws(JSONError) {
    var lines = JSONLines(window)
    while let line = lines.next() {
      var reader = JSONReader(window, line.range, line: line.number, column: line.column)
      if let path, try reader.descend(to: path) != nil { continue }
      try readNested(slot, from: &reader)
      if let path { _ = try reader.ascend(from: path) }
      _ = try reader.next()
    }
  }

  /// Reads tables: an exported database, or an object with a member for each table.
  mutating func readTables(
    _ layout: TablesLayout, _ schema: Schema, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginObject else { return try reader.skipValue(token) }
    while try reader.next() == .name {
      let name = reader.string()
      let token = try reader.next()
      if !layout.isDatabase {
        try readTable(name, token, schema, path: "$", from: &reader)
      } else if name == "entities", token == .beginObject {
        while try reader.next() == .name {
          let name = reader.string()
          try readTable(name, try reader.next(), schema, path: "$.entities", from: &reader)
        }
      } else {
        try reader.skipValue(token)
      }
    }
  }

  private mutating func readTable(
    _ name: String, _ token: JSONToken, _ schema: Schema, path: String,
    from reader: inout JSONReader
  ) throws(JSONError) {
    guard token.opens else { return }
    let place = path + JSONPath([.name(name)]).description.dropFirst() + "[]"
    let slot = slot(name, .table, path: place, knownID: schema.entity(name)?.idName)
    if token == .beginArray { return try readList(slot, from: &reader) }
    try readRows(slot, from: &reader)
  }

  /// Reads an object of records by ID.
  mutating func readKeyed(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginObject else { return try reader.skipValue(token) }
    try readRows(slot, from: &reader)
  }

  /// Reads the records of the object that has begun. The name of each may be its ID.
  private mutating func readRows(
    _ slot: InferenceSlot, from reader: inout JSONReader
  ) throws(JSONError) {
    if slot.keyed == nil { slot.keyed = RecordIdentity() }
    while try reader.next() == .name {
      let key = Self.hash(.string(reader.string()))
      let token = try reader.next()
      if token == .beginObject {
        try readRecord(slot, key: key, from: &reader)
      } else {
        try reader.skipValue(token)
      }
    }
  }

  /// Reads records in the output format of Django's `dumpdata`.
  mutating func readDjango(from reader: inout JSONReader) throws(JSONError) {
    let token = try reader.next()
    guard token == .beginArray else { return try reader.skipValue(token) }
    while true {
      let token = try reader.next()
      if token == .endArray { return }
      guard token == .beginObject else {
        try reader.skipValue(token)
        continue
      }
      // The fields can be read only when the model is known, which may follow them.
      reader.keptFrom = reader.tokenStart
      defer { reader.keptFrom = .max }
      var model: String?
      var key: UInt64?
      var fields: Int?
      while try reader.next() == .name {
        let name = reader.string()
        let token = try reader.next()
        switch (name, token) {
        case ("model", .string): model = reader.string()
        case ("pk", .number): key = Self.hash(.number(reader.number()))
        case ("pk", .string): key = Self.hash(.string(reader.string()))
        case ("fields", .beginObject): fields = reader.tokenStart
        default: break
        }
        try reader.skipValue(token)
      }
      guard let model, let fields else { continue }
      let slot = slot(ofModel: model)
      // Members of a row without a key are ranked as IDs, those of others are not.
      if key != nil, slot.given == nil, slot.records == 0 { slot.given = RecordIdentity() }
      var fieldReader = reader.reader(from: fields)
      _ = try fieldReader.next()
      try readRecord(slot, key: key, from: &fieldReader)
    }
  }
}
