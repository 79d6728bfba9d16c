package import EntiaCoding

/// The operations of a batch on the rows in the server, as JSON arrays for the statements of a
/// push.
package struct RowOperations {
  /// For each deletion, the array `[part, key]`.
  package private(set) var deletions: [JSONValue] = []
  /// For each update, the array `[part, key, body, removed]`. `removed` is the array of the names
  /// of the members to remove.
  package private(set) var updates: [JSONValue] = []
  /// For each insertion, the array `[part, key, body]`, to which `Place.json` is appended.
  package private(set) var insertions: [JSONValue] = []
  /// For each move, the array `[part, key, null]`, to which `Place.json` is appended.
  package private(set) var moves: [JSONValue] = []

  /// The new position of a row: the index of the row in a run. A run consists of successive rows
  /// that are inserted or moved, between two rows that the server already has.
  struct Place {
    /// The keys of the rows before and after the run; `nil` if the run has no such neighbor.
    var previous: String?
    var next: String?
    /// The index of the row in the run, and the number of rows in the run.
    var index: Int
    var count: Int
    /// The position of this row, used only if both `previous` and `next` are `nil`.
    var start: String

    /// The distance between two successive rows of the run, as a fraction of the gap between the
    /// neighbors. The fraction has few digits, because each position contains these digits.
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

/// Splits elements into JSON arrays of limited size.
package enum JSONChunks {
  /// The size in bytes at which a text is full, and the next one begins.
  static let size = 8 << 20

  /// Returns the texts of JSON arrays that together contain all elements.
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
  let body: JSONValue
  /// The names of the members that only the old encoding has.
  let removed: [String]
  /// The members of the old encoding that the new encoding lacks or has with other values. The
  /// property is `nil` if one of the encodings is no object; `old` is then stored as a whole.
  let previous: [JSONValue.Member]?
  let old: JSONValue

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

  /// The names of the members that only the new encoding has.
  var added: [String] {
    guard case .object(let before) = old, case .object(let after) = body else { return [] }
    let names = Set(before.map { ExactString($0.name) })
    return after.filter { !names.contains(ExactString($0.name)) }.map(\.name)
  }
}
