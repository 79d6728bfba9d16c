package import EntiaCoding

/// The apparent format of an input.
package enum FormatGuess: Equatable {
  case format(ImportFormat)
  /// The input matches several formats, or none.
  case unclear(String)
  /// The input is a single value without records: the kind of the value, and its offset.
  case scalar(String, Int)

  /// Guesses the format from the beginning of an input: its first record, or its top-level members.
  ///
  /// The format of a truncated or invalid input is guessed from its beginning. Reading the input
  /// reports the error.
  ///
  /// - Parameters:
  ///   - hasRoot: Whether the entity of records at the top level is known.
  ///   - hasSchema: Whether the entities are known. If they are, an object whose members may be
  ///     tables is read as tables.
  ///   - path: The path of the records, or nil for the whole input.
  package static func guess(
    _ source: ImportSource, hasRoot: Bool, hasSchema: Bool = false, at path: JSONPath? = nil
  ) -> FormatGuess {
    guard let path else { return guess(source, hasRoot, hasSchema) }
    let whole = guess(source, true, true)
    if whole == .format(.csv) || whole == .format(.ndjson) { return whole }
    if let format = source.withWindow({ described($0, at: path) }) { return .format(format) }
    return source.withWindow { guess($0, hasRoot: hasRoot, at: path) }
  }

  /// Returns the format that the ending of a file's name defines; nil for any other ending.
  package static func format(ofName name: String) -> ImportFormat? {
    var name = name.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    if name.hasSuffix(".csv") { return .csv }
    return name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") ? .ndjson : nil
  }

  private static func guess(
    _ window: ByteWindow, hasRoot: Bool, at path: JSONPath
  ) -> FormatGuess {
    var reader = JSONReader(window)
    do {
      if try reader.descend(to: path) == nil {
        switch try reader.next() {
        case .beginArray:
          if case .format(let format) = try guessArray(&reader, hasRoot: hasRoot) {
            return .format(format)
          }
        case .beginObject:
          if case .format(let format) = try guessObject(&reader, nil, hasRoot, true),
            !hasRoot || format != .tables
          {
            return .format(format)
          }
        default: break
        }
      }
    } catch {
      // Reading the records finds the same error and reports it.
    }
    return .format(.nested)
  }

  private static func guess(
    _ source: ImportSource, _ hasRoot: Bool, _ hasSchema: Bool
  ) -> FormatGuess {
    if let format = format(ofName: source.name) { return .format(format) }
    if let format = source.withWindow({ described($0, at: nil) }) { return .format(format) }
    let seen: FormatGuess? = source.withWindow { guess($0, hasRoot, hasSchema) }
    if let seen { return seen }
    // The text is not a single valid value. It may consist of lines, which are checked from the
    // beginning of the text.
    if source.withWindow(looksLikeLines) { return .format(.ndjson) }
    if hasRoot { return .format(.nested) }
    return .format(source.withWindow(beginsWithArray) ? .django : .tables)
  }

  /// Returns nil if the text is invalid.
  private static func guess(
    _ window: ByteWindow, _ hasRoot: Bool, _ hasSchema: Bool
  ) -> FormatGuess? {
    var reader = JSONReader(window)
    do {
      let first = try reader.next()
      switch first {
      case .beginArray: return try guessArray(&reader, hasRoot: hasRoot)
      case .beginObject: return try guessObject(&reader, window, hasRoot, hasSchema)
      default: return .scalar(first.kindDescription, reader.tokenStart)
      }
    } catch {
      return nil
    }
  }

  private static func beginsWithArray(_ window: ByteWindow) -> Bool {
    var reader = JSONReader(window)
    do {
      return try reader.next() == .beginArray
    } catch {
      return false
    }
  }

  private static func guessArray(
    _ reader: inout JSONReader, hasRoot: Bool
  ) throws(JSONError) -> FormatGuess {
    let token = try reader.next()
    if token == .beginObject, try isDjangoRecord(&reader) { return .format(.django) }
    if hasRoot { return .format(.nested) }
    if token == .endArray {
      return .unclear("the array is empty, and no --root names the entity of its records")
    }
    return .unclear("an array of nested records needs --root, and --schema or --id")
  }

  /// Returns whether the object that has begun has the members of a Django record, and no others.
  private static func isDjangoRecord(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    var known = 0
    while try reader.next() == .name {
      let name = reader.string()
      let token = try reader.next()
      switch name {
      case "model" where token == .string, "fields" where token == .beginObject: known += 1
      case "pk": break
      default: return false
      }
      try reader.skipValue(token)
    }
    return known == 2
  }

  /// - Parameter window: The whole text, if the object is at the top level, where other lines may
  ///   follow. `nil` if the object is nested.
  private static func guessObject(
    _ reader: inout JSONReader, _ window: ByteWindow?, _ hasRoot: Bool, _ hasSchema: Bool
  ) throws(JSONError) -> FormatGuess {
    var areTables = true
    var certainty = TableCertainty.empty
    var areObjects = true
    var count = 0
    var isDatabase = false
    while try reader.next() == .name {
      let name = reader.string()
      let token = try reader.next()
      count += 1
      if name == "entities", token == .beginObject {
        if !hasRoot { return .format(.tables) }
        isDatabase = true
      }
      areObjects = areObjects && token == .beginObject
      if let found = try rows(token, &reader) {
        certainty = max(certainty, found)
      } else {
        areTables = false
      }
    }
    if let window, followsLine(window, reader.tokenEnd) { return .format(.ndjson) }
    if isDatabase { return .format(.tables) }
    if areTables, count > 0 || !hasRoot, hasRoot || hasSchema || certainty != .unclear {
      return .format(.tables)
    }
    if hasRoot { return .format(areObjects && count > 0 ? .keyed : .nested) }
    return .unclear("an object that does not contain tables needs --root, and --schema or --id")
  }

  /// The certainty that objects are tables. An object of objects may also be a part of a
  /// configuration.
  private enum TableCertainty: Comparable {
    case empty
    case unclear
    case certain
  }

  /// Skips a value, and returns the certainty that it is a table: an array of objects, or an object
  /// of objects. Returns nil if it is neither. An object of objects is certainly a table if its
  /// names are IDs, or if its first objects have a member in common.
  private static func rows(
    _ token: JSONToken, _ reader: inout JSONReader
  ) throws(JSONError) -> TableCertainty? {
    guard token.opens else { return nil }
    let outside = reader.depth - 1
    var certainty: TableCertainty? = .empty
    var key = ""
    var members: Set<String> = []
    while reader.depth > outside {
      let part = try reader.next()
      switch part {
      case .name:
        if certainty == .empty || certainty == .unclear { key = reader.string() }
        continue
      case .endArray, .endObject: continue
      case .beginObject: break
      default: certainty = nil
      }
      guard token == .beginObject, certainty == .empty || certainty == .unclear else {
        if certainty != nil { certainty = .certain }
        try reader.skipValue(part)
        continue
      }
      let isID = key.utf8.allSatisfy { $0 >= Byte.zero && $0 <= Byte.nine || $0 == Byte.minus }
      certainty = isID || key.utf8.count == 36 ? .certain : .unclear
      while try reader.next() == .name {
        let name = reader.string()
        let value = try reader.next()
        if value == .string, reader.string().isExactly(key) { certainty = .certain }
        if !value.opens, !members.insert(name).inserted { certainty = .certain }
        try reader.skipValue(value)
      }
    }
    return certainty
  }

  /// Returns whether an object is followed by another one on a later line.
  private static func followsLine(_ window: ByteWindow, _ end: Int) -> Bool {
    var offset = end
    var hasNewline = false
    while true {
      if offset == window.end {
        if window.isFinal { return false }
        window.extend(keepingFrom: offset)
        continue
      }
      guard window[offset] <= Byte.space else { break }
      hasNewline = hasNewline || window[offset] == Byte.newline
      offset += 1
    }
    return hasNewline && window[offset] == Byte.openBrace
  }

  /// Returns whether an invalid text has an object at the beginning of each of its first two lines.
  private static func looksLikeLines(_ window: ByteWindow) -> Bool {
    var lines = JSONLines(window)
    guard let first = lines.next(), window[first.range.lowerBound] == Byte.openBrace,
      first.range.count > 2, let second = lines.next()
    else { return false }
    return window[second.range.lowerBound] == Byte.openBrace
  }
}
