import EntiaCoding

// Responses without records.
extension GraphQLWalk {
  /// The content of a value without records; the greater case takes precedence.
  enum Emptiness: Int {
    case scalars
    case emptyList
    case emptyPage
    /// An object that is not a record and has no place for records.
    case unread

    func joined(with other: Emptiness) -> Emptiness { rawValue < other.rawValue ? other : self }
  }

  func emptiness(of node: Int, _ depth: Int) -> Emptiness {
    let values = values(of: node)
    guard depth < Self.maximumDepth else { return .unread }
    func joined(_ nodes: [Int]) -> Emptiness {
      nodes.reduce(.scalars) { $0.joined(with: emptiness(of: $1, depth + 1)) }
    }
    switch tape.nodes[node].token {
    case .beginArray: return values.isEmpty ? .emptyList : joined(values)
    case .beginObject:
      let page = values.first {
        tape.nodes[$0].token == .beginArray && ["edges", "nodes"].contains(name(of: $0))
      }
      if let page { return emptiness(of: page, depth + 1) == .emptyList ? .emptyPage : .unread }
      let found = joined(values)
      // An empty list together with values may be a member of an object that lacks its ID.
      let hasScalars = values.contains {
        ![.beginArray, .beginObject, .null].contains(tape.nodes[$0].token)
          && name(of: $0) != "__typename"
      }
      return found == .scalars || found == .emptyList && hasScalars ? .unread : found
    default: return .scalars
    }
  }

  /// Reports a problem if data without a record contains objects, except empty pages and the
  /// objects around them.
  func checkIsEmpty(_ run: ImportRun) {
    guard values(of: 0).contains(where: { emptiness(of: $0, 0) == .unread }) else { return }
    let hasTypes = tape.nodes.contains {
      $0.token == .name && !$0.hasEscapes
        && "__typename".hasExactly(reader.bytes($0.start + 1..<$0.end - 1))
    }
    run.addMismatch(
      at: tape.nodes[0].start,
      "no object of the response has "
        + (hasTypes ? "both a __typename and an id" : "a __typename")
        + ": ask for __typename and id in every selection of the query, or name the entities with "
        + "--schema and --root")
  }
}
