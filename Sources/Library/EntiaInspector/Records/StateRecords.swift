import EntiaCoding
import EntiaDatabase
import EntiaExplorer

/// The content of a state: the rows of its databases, and its other members.
struct StateRecords {
  /// The rows of all databases.
  let database: PageDatabase
  /// The members that are no databases, in the order of their declaration, as JSON.
  let members: [(name: String, json: JSONText)]

  /// Reads a state.
  ///
  /// - Complexity: O(size of the state).
  init(_ state: Any) {
    var search = DatabaseSearch()
    search.visit(state, path: [], depth: 0)
    var records = StorageRecords()
    for (path, storage) in search.databases {
      let isOnly = search.databases.count == 1
      records.add(storage, prefix: isOnly ? "" : path.map { $0 + "." }.joined())
    }
    database = records.database()
    members = search.members.map { (name: $0, json: JSONText(JSONValue(inspecting: $1))) }
  }
}

/// Finds the databases in a state: in its stored properties, and in those of structs in them.
private struct DatabaseSearch {
  private static let maximumDepth = 4

  var databases: [(path: [String], storage: any NormalizedStorageType)] = []
  var members: [(name: String, value: Any)] = []

  mutating func visit(_ value: Any, path: [String], depth: Int) {
    if let storage = value as? any NormalizedStorageType {
      databases.append((path, storage))
      return
    }
    let mirror = Mirror(reflecting: value)
    let isStruct = mirror.displayStyle == .struct && !mirror.children.isEmpty
    if depth == 0 ? isStruct : isStruct && Self.hasDatabase(mirror, depth: depth) {
      for child in mirror.children {
        visit(child.value, path: path + [child.label ?? ""], depth: depth + 1)
      }
    } else {
      members.append((path.isEmpty ? "state" : path.joined(separator: "."), value))
    }
  }

  private static func hasDatabase(_ mirror: Mirror, depth: Int) -> Bool {
    guard depth < maximumDepth, mirror.displayStyle == .struct else { return false }
    return mirror.children.contains { child in
      child.value is any NormalizedStorageType
        || hasDatabase(Mirror(reflecting: child.value), depth: depth + 1)
    }
  }
}
