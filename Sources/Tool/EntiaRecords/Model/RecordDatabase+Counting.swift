import EntiaCoding
import EntiaCollections
import EntiaDatabase

extension RecordDatabase {
  /// Returns the number of rows of each entity that has rows, sorted by name.
  ///
  /// - Complexity: O(rows).
  func countsByEntity() -> [(entity: String, count: Int)] {
    // Rows of one import share the name object, so few names are compared.
    var counts: [ObjectIdentifier: (name: EntityName, count: Int)] = [:]
    var last: EntityName?
    var count = 0
    func note() {
      guard let last else { return }
      counts[ObjectIdentifier(last), default: (last, 0)].count += count
      count = 0
    }
    for record in table {
      let name = record.body.id.node.entity
      if name !== last {
        note()
        last = name
      }
      count += 1
    }
    note()
    var byName: [ExactString: Int] = [:]
    for (name, count) in counts.values { byName[ExactString(name.string), default: 0] += count }
    return byName.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) }
  }
}
