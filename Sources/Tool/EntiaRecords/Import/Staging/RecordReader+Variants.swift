import EntiaCoding

// Members that refer to rows of several entities. The type of an object determines its entity.
extension RecordReader {
  /// Reads a member that refers to one row.
  func readVariant(
    _ position: Int, _ top: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    let token = try reader.next()
    switch token {
    case .null: append(.text, start: reader.tokenStart, count: 4, to: top)
    case .beginObject: try beginVariant(position, top, &reader)
    default:
      let typeName = stage.variants[position].typeName.string.quoted
      try reject(
        token, "\(describe(top)) refers to one row",
        "an object with its type in \(typeName) and its ID, or null", &reader)
    }
  }

  /// Reads a member that refers to a list of rows.
  func readVariants(
    _ position: Int, _ top: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    let variants = stage.variants[position]
    let count = frames.count
    try readList(top, of: stage.entities[variants.first], hasVariants: true, &reader)
    if frames.count > count { frames[count].variants = position }
  }

  func readVariantElement(
    _ token: JSONToken, _ top: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    if token == .endArray { return try readElement(token, top, &reader) }
    if token == .beginObject {
      return try beginVariant(frames[top].variants, top - 1, &reader)
    }
    let typeName = stage.variants[frames[top].variants].typeName.string.quoted
    try reject(
      token, "\(describe(top - 1)) refers to rows",
      "an object with its type in \(typeName) and its ID", &reader)
  }

  /// Begins a record at the current object, whose type member determines the entity of the record.
  private func beginVariant(
    _ position: Int, _ holder: Int, _ reader: inout JSONReader
  ) throws(JSONError) {
    let variants = stage.variants[position]
    let typeName = variants.typeName.string.quoted
    guard let offset = try types.find(variants.typeName, from: &reader) else {
      addMismatch(
        reader, "this object in \(describe(holder)) has no \(typeName), which determines its entity"
      )
      return try reader.skipValue(.beginObject)
    }
    var value = reader.reader(from: offset)
    let token = try value.next()
    guard token == .string, let entity = variants.positions[ExactString(value.string())] else {
      let known = variants.types.map(\.quoted).joined(separator: ", ")
      let found = token == .string ? value.string().quoted : token.kindDescription
      let near =
        token == .string ? Suggestion.sentence(for: value.string(), among: variants.types) : ""
      addMismatch(
        value,
        "expected one of \(known) as \(typeName) in \(describe(holder)), found \(found)\(near)")
      return try reader.skipValue(.beginObject)
    }
    begin(stage.entities[entity], at: stage.origin(reader.tokenStart))
    frames[frames.count - 1].variants = position
  }

  /// Returns whether a completed record is only a reference: it has only its type and its ID.
  func isReference(_ frame: Frame) -> Bool {
    frame.row >= 0 && stack.members.count - frame.mark.members == 1 + frame.entity.idFields.count
  }
}
