/// Why rows cannot be denormalized.
public enum DenormalizeProblem: Error, Hashable, Sendable {
  /// There is no such entity; perhaps another one was meant.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no rows of these IDs.
  case unknownIDs([String], entity: String)
  /// The output is longer than the limit.
  case tooLarge(maximumBytes: Int, fanOut: FanOut)

  /// How many rows nest in others, as far as they were written.
  public struct FanOut: Hashable, Sendable {
    /// The number of rows that were to be written.
    public let rows: Int
    /// The number of those that were written before the limit was reached.
    public internal(set) var written = 0
    /// The number of rows that were nested at each depth, from depth 1.
    public internal(set) var nested: [Int] = []
    /// The member that names most rows where the limit was reached, such as `"links" of synsets "s1"`.
    public internal(set) var widestMember: String?
    /// The number of rows that it names.
    public internal(set) var widest = 0

    init(rows: Int) { self.rows = rows }

    mutating func countNested(at depth: Int) {
      if nested.count < depth { nested.append(0) }
      nested[depth - 1] += 1
    }
  }
}

extension DenormalizeProblem: CustomStringConvertible {
  /// What is wrong, in a sentence.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let suggestion):
      "\(name.quoted) is no entity of the database"
        + (suggestion.map { "; did you mean \($0.quoted)?" } ?? "")
    case .unknownIDs(let ids, let entity):
      "\(entity) has no row " + ids.map(\.quoted).joined(separator: ", ")
    case .tooLarge(let maximumBytes, let fanOut):
      "the output is longer than \(maximumBytes) bytes: \(fanOut); use a smaller --depth, choose "
        + "rows with --id, or raise --max-bytes"
    }
  }
}

extension DenormalizeProblem.FanOut: CustomStringConvertible {
  /// The numbers, in a sentence.
  public var description: String {
    var text = "\(written) of \(rows) rows are written"
    if !nested.isEmpty {
      let counts = nested.prefix(8).map(String.init).joined(separator: ", ")
      text += "; nested rows by depth: \(counts)\(nested.count > 8 ? ", …" : "")"
    }
    if let widestMember { text += "; \(widestMember) alone names \(widest)" }
    return text
  }
}
