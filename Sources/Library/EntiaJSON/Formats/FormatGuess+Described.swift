package import EntiaCoding

// Documents of servers, which are recognized by the names of their top-level members.
extension FormatGuess {
  /// The content of a member's value, as far as it decides the format.
  private enum Content: Equatable {
    /// Records of a format.
    case records(ImportFormat)
    /// Errors that the server reports, in the notation of a format.
    case errors(ImportFormat)
    /// No records: `null`, or empty lists and pages.
    case nothing(ImportFormat?)
    case other
  }

  /// Returns the format of a server's document: a JSON:API document or a GraphQL response, even if
  /// it has errors or no records. Returns nil for any other input.
  package static func described(_ window: ByteWindow, at path: JSONPath?) -> ImportFormat? {
    var reader = JSONReader(window)
    do {
      if let path, try reader.descend(to: path) != nil { return nil }
      guard try reader.next() == .beginObject else { return nil }
      return try described(&reader)
    } catch {
      // The text has an error. Reading it in another format reports the error.
      return nil
    }
  }

  private static func described(_ reader: inout JSONReader) throws(JSONError) -> ImportFormat? {
    var formats: [ImportFormat] = []
    var hasContent = false
    while try reader.next() == .name {
      let name = reader.string()
      let token = try reader.next()
      let outside = reader.depth - (token.opens ? 1 : 0)
      let content: Content
      switch name {
      case "data": content = try data(token, &reader)
      case "included": content = try included(token, &reader)
      case "errors": content = try errors(token, &reader)
      case "jsonapi" where token == .beginObject: content = .nothing(.jsonapi)
      case "extensions" where token == .beginObject: content = .nothing(.graphql)
      case "links", "meta":
        try reader.skipValue(token)
        continue
      default: return nil
      }
      switch content {
      case .records(let format): return format
      case .other: return nil
      // If there are no records, `errors` indicates the format more reliably than other members.
      case .errors(let format): formats.insert(format, at: 0)
      case .nothing(let format): if let format { formats.append(format) }
      }
      hasContent = true
      while reader.depth > outside { _ = try reader.next() }
    }
    return hasContent ? formats.first ?? .jsonapi : nil
  }

  private static func data(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Content {
    switch token {
    case .null: return .nothing(nil)
    case .beginArray:
      switch try reader.next() {
      case .endArray: return .nothing(nil)
      case .beginObject: return try isResource(&reader) ? .records(.jsonapi) : .other
      default: return .other
      }
    case .beginObject:
      let found = try reader.lookingAhead { (ahead) throws(JSONError) -> Bool in
        try isResource(&ahead)
      }
      return found ? .records(.jsonapi) : try response(&reader)
    default: return .other
    }
  }

  private static func included(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Content {
    guard token == .beginArray else { return .other }
    switch try reader.next() {
    case .endArray: return .nothing(.jsonapi)
    case .beginObject: return try isResource(&reader) ? .records(.jsonapi) : .other
    default: return .other
    }
  }

  /// Returns whether the object that has begun is a resource, possibly one without its type.
  private static func isResource(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    let members = ["type", "id", "lid", "attributes", "relationships", "links", "meta"]
    var isResource = false
    while try reader.next() == .name {
      let name = reader.string()
      guard members.contains(name) else { return false }
      let token = try reader.next()
      switch name {
      case "type": isResource = isResource || token == .string
      case "attributes", "relationships": isResource = isResource || token == .beginObject
      default: break
      }
      try reader.skipValue(token)
    }
    return isResource
  }

  /// Returns the content of the data of a response. Records are recognized near the beginning of
  /// the data: by a `__typename`, a list of objects, or a page (`edges` or `nodes`).
  private static func response(_ reader: inout JSONReader) throws(JSONError) -> Content {
    let data = reader.depth - 1
    var member = ""
    var last = JSONToken.beginObject
    var (mayHoldRecords, isList) = (false, false)
    var (isPage, isEmpty) = (false, true)
    for _ in 0..<1000 {
      let before = reader.depth
      let token = try reader.next()
      defer { last = token }
      switch token {
      case .name:
        member = reader.string()
        if member == "__typename" { return .records(.graphql) }
        isPage = isPage || member == "pageInfo"
      case .beginArray:
        isList = member == "edges" || member == "nodes"
        mayHoldRecords = before == data + 1 || isList
        continue
      case .beginObject:
        if mayHoldRecords { return .records(.graphql) }
        isEmpty = false
      case .endArray: isPage = isPage || isList && last == .beginArray
      case .endObject, .null: break
      default: isEmpty = false
      }
      mayHoldRecords = false
      if token == .end || reader.depth <= data {
        return isEmpty || isPage ? .nothing(.graphql) : .other
      }
    }
    return .other
  }

  /// Returns the format of errors, by the names of their members. Only errors of GraphQL have a
  /// `message`.
  private static func errors(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> Content {
    guard token == .beginArray else { return .other }
    let graphql = ["message", "locations", "path", "extensions"]
    let jsonapi = ["status", "code", "title", "detail", "source", "id", "links", "meta"]
    var names: [String] = []
    while true {
      let element = try reader.next()
      if element == .endArray { break }
      guard element == .beginObject else { return .other }
      while try reader.next() == .name {
        names.append(reader.string())
        try reader.skipValue(try reader.next())
      }
    }
    if names.isEmpty { return .nothing(nil) }
    if names.contains("message"), names.allSatisfy(graphql.contains) { return .errors(.graphql) }
    let isJSONAPI =
      names.allSatisfy(jsonapi.contains) && names.contains(where: jsonapi.prefix(5).contains)
    return isJSONAPI ? .errors(.jsonapi) : .other
  }
}
