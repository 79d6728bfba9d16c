import EntiaCoding

/// The reason why rows cannot be denormalized.
public enum DenormalizeProblem: Error, Hashable, Sendable {
  /// The rows do not exist.
  case selection(SelectionProblem)
  /// The entity has no such relationship; a similar name is suggested.
  case unknownRelationship(String, entity: String, suggestion: String?)
  /// An inverse has the name of the member that is the ID of the rows.
  case nameOfID(String, entity: String)
  /// Two inverses of one entity have the same name.
  case repeatedName(String, entity: String)
  /// The output exceeds the limit.
  case tooLarge(maximumBytes: Int, fanOut: FanOut)

  /// The default limit of the size of an output: 1 GiB.
  @usableFromInline package static let defaultMaximumBytes = 1 << 30

  /// The numbers of requested and nested rows in an output that was stopped at the limit.
  public struct FanOut: Hashable, Sendable {
    /// The number of requested rows.
    package let rows: Int
    /// The number of requested rows that were written before the limit was reached.
    package var written = 0
    /// The number of nested rows at each depth, from depth 1.
    package var nested: [Int] = []
    /// The member with the most references, such as `"links" of synsets "s1"`. Only the nested rows
    /// that were being written when the limit was reached are considered.
    package var widestMember: String?
    /// The number of references of `widestMember`.
    package var widest = 0

    package init(rows: Int) { self.rows = rows }

    package mutating func countNested(at depth: Int) {
      if nested.count < depth { nested.append(0) }
      nested[depth - 1] += 1
    }
  }
}

extension DenormalizeProblem: CustomStringConvertible {
  /// A description of the problem.
  public var description: String {
    switch self {
    case .selection(let problem): problem.description
    case .unknownRelationship(let name, let entity, let suggestion):
      "\(name.quoted) is no relationship of \(entity)" + SelectionProblem.question(suggestion)
    case .nameOfID(let name, let entity):
      "\(name.quoted) is the ID of \(entity); nest the rows under another name"
    case .repeatedName(let name, let entity):
      "two inverses of \(entity) are named \(name.quoted); give each a name of its own"
    case .tooLarge(let maximumBytes, let fanOut):
      "the output is longer than \(maximumBytes) bytes: \(fanOut); use a smaller --depth, choose "
        + "rows with --id, or raise --max-bytes"
    }
  }
}

extension DenormalizeProblem.FanOut: CustomStringConvertible {
  /// A description of the numbers.
  public var description: String {
    var text = "\(written) of \(rows) rows are written"
    if !nested.isEmpty {
      let counts = nested.prefix(8).map(String.init).joined(separator: ", ")
      text += "; nested rows by depth: \(counts)\(nested.count > 8 ? ", …" : "")"
    }
    if let widestMember { text += "; \(widestMember) alone refers to \(widest)" }
    return text
  }
}

/// The reason why rows cannot be selected.
public enum SelectionProblem: Error, Hashable, Sendable {
  /// The entity does not exist; a similar name is suggested.
  case unknownEntity(String, suggestion: String?)
  /// The entity has no rows with these IDs.
  case unknownIDs([String], entity: String)
  /// No row of the entity has the member; a similar name is suggested.
  case unknownMember(String, entity: String, suggestion: String?)
}

extension SelectionProblem: CustomStringConvertible {
  /// A description of the problem.
  public var description: String {
    switch self {
    case .unknownEntity(let name, let suggestion):
      "\(name.quoted) is no entity of the database" + Self.question(suggestion)
    case .unknownIDs(let ids, let entity):
      "\(entity) has no row " + ids.map(\.quoted).joined(separator: ", ")
    case .unknownMember(let name, let entity, let suggestion):
      "no row of \(entity) has a member \(name.quoted)" + Self.question(suggestion)
    }
  }

  fileprivate static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0.quoted)?" } ?? ""
  }
}
