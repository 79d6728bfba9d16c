package import EntiaCoding

/// The data of a GraphQL response, or a part of it, on a tape.
package protocol GraphQLData {
  /// The tape.
  var tape: JSONTape { get }
  /// A reader of the text that the tape refers to.
  var reader: JSONReader { get }
}

extension GraphQLData {
  /// Returns the nodes of the values in an object, or of the elements of an array. In an object,
  /// the node before a value is its name.
  package func values(of node: Int) -> [Int] {
    let parts = tape.parts(of: node)
    return tape.nodes[node].token == .beginObject ? parts.map { $0 + 1 } : parts
  }

  /// Returns the name of a value in an object.
  package func name(of value: Int) -> String { reader.text(of: tape.nodes[value - 1]) }

  /// Returns whether a value has an object that may be a record, if none of its objects could be
  /// recognized as a record. Empty pages and the objects around empty pages are not records.
  package func mayHoldRecords(_ value: Int) -> Bool { emptiness(of: value, 0) == .unread }

  private func emptiness(of node: Int, _ depth: Int) -> Emptiness {
    let values = values(of: node)
    // The depth is limited, because each level uses stack.
    guard depth < 512 else { return .unread }
    func joined(_ nodes: [Int]) -> Emptiness {
      nodes.reduce(.scalars) { max($0, emptiness(of: $1, depth + 1)) }
    }
    switch tape.nodes[node].token {
    case .beginArray: return values.isEmpty ? .emptyList : joined(values)
    case .beginObject:
      let page = values.first {
        tape.nodes[$0].token == .beginArray && ["edges", "nodes"].contains(name(of: $0))
      }
      if let page { return emptiness(of: page, depth + 1) == .emptyList ? .emptyPage : .unread }
      let found = joined(values)
      // An object with an empty list and other values may be a record without its ID.
      let hasScalars = values.contains {
        ![.beginArray, .beginObject, .null].contains(tape.nodes[$0].token)
          && name(of: $0) != "__typename"
      }
      return found == .scalars || found == .emptyList && hasScalars ? .unread : found
    default: return .scalars
    }
  }
}

/// The content of a value without records. If the parts of a value have different contents, the
/// last of these cases applies to the value.
private enum Emptiness: Comparable {
  case scalars
  case emptyList
  case emptyPage
  /// An object that may be a record, but could not be recognized as a record.
  case unread
}
