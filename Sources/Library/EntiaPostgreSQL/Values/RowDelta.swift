import EntiaCoding

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
