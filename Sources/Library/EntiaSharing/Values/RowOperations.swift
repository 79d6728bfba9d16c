package import EntiaCoding

/// What a batch does to the rows in the server, as JSON arrays for the statements of a push.
package struct RowOperations {
  /// Part and key.
  package private(set) var deletions: [JSONValue] = []
  /// Part, key, body and the names of members to remove.
  package private(set) var updates: [JSONValue] = []
  /// Part, key, body, place.
  package private(set) var insertions: [JSONValue] = []
  /// Part, key, `null`, place.
  package private(set) var moves: [JSONValue] = []

  /// Where a row is placed: between two rows of the server, as one of several.
  struct Place {
    /// The keys of the rows before and after the run; both `nil` at an end of the table.
    var previous: String?
    var next: String?
    /// The index in the run, and the number of rows in it.
    var index: Int
    var count: Int
    /// The position without neighbors.
    var start: String

    /// The fraction of the gap between the neighbors that one row takes, with few digits: each
    /// digit is stored.
    var step: String {
      if count == 1 { return "0.5" }
      var digits = 1
      var capacity = 10
      while capacity <= count {
        capacity *= 10
        digits += 1
      }
      return "0." + String(repeating: "0", count: digits - 1) + "1"
    }

    fileprivate var json: [JSONValue] {
      [
        previous.map(JSONValue.string) ?? .null, next.map(JSONValue.string) ?? .null,
        .string(start), .number(JSONNumber(index)), .number(JSONNumber(count)), .string(step),
      ]
    }
  }

  mutating func delete(_ part: String, _ key: String) {
    deletions.append(.array([.string(part), .string(key)]))
  }

  mutating func update(_ part: String, _ key: String, _ delta: RowDelta) {
    let removed = JSONValue.array(delta.removed.map(JSONValue.string))
    updates.append(.array([.string(part), .string(key), delta.body, removed]))
  }

  mutating func insert(_ part: String, _ key: String, _ body: JSONValue, at place: Place) {
    insertions.append(.array([.string(part), .string(key), body] + place.json))
  }

  mutating func move(_ part: String, _ key: String, to place: Place) {
    moves.append(.array([.string(part), .string(key), .null] + place.json))
  }
}

/// Texts of JSON arrays of limited size.
package enum JSONChunks {
  /// The size that a text has at least before the next one begins.
  static let size = 8 << 20

  /// Returns the texts of arrays that together have all elements.
  package static func texts(of elements: [JSONValue], size: Int = size) -> [String] {
    var texts: [String] = []
    var bytes: [UInt8] = []
    for element in elements {
      bytes.append(UInt8(ascii: bytes.isEmpty ? "[" : ","))
      bytes += element.bytes()
      if bytes.count >= size {
        texts.append(String(decoding: bytes + [UInt8(ascii: "]")], as: UTF8.self))
        bytes = []
      }
    }
    if !bytes.isEmpty {
      texts.append(String(decoding: bytes + [UInt8(ascii: "]")], as: UTF8.self))
    }
    return texts
  }
}

/// The difference between two encodings of a row.
struct RowDelta {
  /// The new encoding, or `nil` when it is no object.
  let body: JSONValue
  /// The members of the old encoding that the new one lacks.
  let removed: [String]
  /// The members of the old encoding that differ or that the new one lacks; `nil` when one of the
  /// encodings is no object, and `old` is the whole one.
  let previous: [JSONValue.Member]?
  let old: JSONValue

  /// Creates the difference.
  init(from old: JSONValue, to new: JSONValue) {
    body = new
    self.old = old
    guard case .object(let before) = old, case .object(let after) = new else {
      removed = []
      previous = nil
      return
    }
    var values: [ExactString: JSONValue] = [:]
    for member in after { values[ExactString(member.name)] = member.value }
    removed = before.filter { values[ExactString($0.name)] == nil }.map(\.name)
    previous = before.filter { values[ExactString($0.name)] != $0.value }
  }

  /// The names of members that the new encoding has and the old one has not.
  var added: [String] {
    guard case .object(let before) = old, case .object(let after) = body else { return [] }
    let names = Set(before.map { ExactString($0.name) })
    return after.filter { !names.contains(ExactString($0.name)) }.map(\.name)
  }
}
