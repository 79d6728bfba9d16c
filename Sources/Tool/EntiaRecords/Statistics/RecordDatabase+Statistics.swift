import EntiaCoding
import EntiaCollections
import EntiaDatabase

extension RecordDatabase {
  /// Returns counts of the database's content.
  ///
  /// - Complexity: O(rows + references) for any graph of references, plus sorting of names.
  public func statistics() -> DatabaseStatistics {
    let graph = RecordGraph(self)
    var counter = StatisticsCounter(schema: schema)
    for row in graph.records.indices { counter.count(row, in: graph) }
    counter.countResults(resultKeys, in: graph)
    let records = graph.records
    let components = GraphComponents(graph.links) { records[$0].id < records[$1].id }
    counter.countUnreferenced(graph)
    counter.findChains(components, graph)
    return DatabaseStatistics(
      tables: counter.tables, relationships: counter.relationships.map(\.counts),
      cycles: DatabaseStatistics.Cycles(components.cycles(), graph))
  }
}

/// Counts rows and references one row at a time.
private struct StatisticsCounter {
  struct Counter {
    var counts: DatabaseStatistics.Relationship
    /// The number of references to each row, which need not exist.
    var named: [RecordID: Int] = [:]
  }

  var tables: [DatabaseStatistics.Table]
  var relationships: [Counter] = []
  private var tableIndex: [ExactString: Int] = [:]
  private var relationshipIndex: [ExactString: [ExactString: Int]] = [:]
  private var isResult: [Bool] = []

  init(schema: Schema) {
    tables = schema.entities.map { DatabaseStatistics.Table(entity: $0.name) }
    for (index, entity) in schema.entities.enumerated() {
      tableIndex[ExactString(entity.name)] = index
      for relationship in entity.relationships {
        relationshipIndex[ExactString(entity.name), default: [:]][ExactString(relationship.name)] =
          relationships.count
        relationships.append(
          Counter(
            counts: DatabaseStatistics.Relationship(
              entity: entity.name, name: relationship.name,
              target: relationship.targetNames { $0 },
              isMany: relationship.isMany)))
      }
    }
  }

  private func table(of record: Record) -> Int? { tableIndex[ExactString(record.id.entity)] }

  mutating func count(_ row: Int, in graph: RecordGraph) {
    let record = graph.records[row]
    if let table = table(of: record) { tables[table].rows += 1 }
    let known = relationshipIndex[ExactString(record.id.entity)] ?? [:]
    var rest = graph.links.targets(of: row)
    for (name, value) in zip(record.names, record.values) {
      let targets = value.targets
      if targets.isEmpty { continue }
      let found = rest.prefix(targets.count)
      rest.removeFirst(targets.count)
      if let index = known[name] { count(targets, found, of: index, in: record) }
    }
  }

  private mutating func count(
    _ ids: [RecordID], _ rows: ArraySlice<Int>, of index: Int, in record: Record
  ) {
    guard !ids.isEmpty else { return }
    relationships[index].counts.references += ids.count
    relationships[index].counts.holders += 1
    relationships[index].counts.largestFanOut.enlarge(to: ids.count, of: record.id)
    for (id, row) in zip(ids, rows) {
      if row < 0 { relationships[index].counts.dangling += 1 }
      let count = relationships[index].named[id, default: 0] + 1
      relationships[index].named[id] = count
      relationships[index].counts.largestFanIn.enlarge(to: count, of: id)
    }
  }

  mutating func countResults(_ results: [ExactString: [RecordKey]], in graph: RecordGraph) {
    isResult = Array(repeating: false, count: graph.records.count)
    for (entity, keys) in results {
      for key in keys {
        guard let row = graph.index[RecordID(entity: entity.string, key: key)] else { continue }
        isResult[row] = true
        if let table = tableIndex[entity] { tables[table].results += 1 }
      }
    }
  }

  mutating func countUnreferenced(_ graph: RecordGraph) {
    var isNamed = isResult
    for row in graph.records.indices {
      for target in graph.links.targets(of: row) where target >= 0 && target != row {
        isNamed[target] = true
      }
    }
    for (row, isNamed) in isNamed.enumerated() where !isNamed {
      if let table = table(of: graph.records[row]) { tables[table].unreferenced += 1 }
    }
  }

  mutating func findChains(_ components: GraphComponents, _ graph: RecordGraph) {
    var rows = [[Int]](repeating: [], count: tables.count)
    for row in graph.records.indices {
      if let table = table(of: graph.records[row]) { rows[table].append(row) }
    }
    for (table, rows) in rows.enumerated() {
      tables[table].deepestChain = components.deepest(of: rows).map { start in
        DatabaseStatistics.Chain(
          steps: components.chain(from: start).map { step in
            DatabaseStatistics.Chain.Step(
              id: graph.records[step.node].id, cycleRows: step.cycleCount)
          })
      }
    }
  }
}

extension DatabaseStatistics.Cycles {
  fileprivate init(_ cycles: GraphComponents.Cycles, _ graph: RecordGraph) {
    count = cycles.count
    rows = cycles.nodes
    largestRows = cycles.largest
    example = cycles.example.map { graph.records[$0].id }
  }
}

/// The graph of references, with rows represented by integers.
private struct RecordGraph {
  let records: [Record]
  let index: [RecordID: Int]
  /// The targets of each row's references, in order of its members; -1 for rows that do not exist.
  private(set) var links = DirectedGraph()

  init(_ database: RecordDatabase) {
    records = database.records
    var index: [RecordID: Int] = [:]
    index.reserveCapacity(records.count)
    for (row, record) in records.enumerated() { index[record.id] = row }
    self.index = index
    for record in records { links.addNode(record.references.map { index[$0.raw] ?? -1 }) }
  }
}

extension DatabaseStatistics.Fan? {
  /// Replaces the row if the count is larger, or if the counts are equal and the ID is smaller.
  fileprivate mutating func enlarge(to count: Int, of id: RecordID) {
    if let known = self, count < known.count || count == known.count && known.id <= id { return }
    self = DatabaseStatistics.Fan(id: id, count: count)
  }
}
