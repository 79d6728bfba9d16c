/// The strongly connected components of the rows, and the longest chain of references from each
/// (Tarjan's algorithm with an explicit stack).
struct RecordComponents {
  /// A strongly connected component; most have a single row.
  private struct Component {
    var rows = 0
    var hasCycle = false
    /// The number of references from the component to the end of the longest chain.
    var depth = 0
    /// The first reference of the longest chain: its row in the component, and its target.
    var way: (from: RecordID, to: Int)?
    /// The row with the first ID.
    var first: Int
  }

  private var components: [Component] = []
  /// The component of each row.
  private var componentOf: [Int]

  /// Creates the components of a graph.
  ///
  /// - Complexity: O(rows + references).
  init(_ graph: RecordGraph) {
    let count = graph.records.count
    componentOf = Array(repeating: -1, count: count)
    var order = [Int](repeating: -1, count: count)
    var low = [Int](repeating: 0, count: count)
    var visited = 0
    var open: [Int] = []
    var calls: [(row: Int, next: Int)] = []
    for root in 0..<count where order[root] < 0 {
      calls.append((root, 0))
      while let (row, next) = calls.last {
        if order[row] < 0 {
          order[row] = visited
          low[row] = visited
          visited += 1
          open.append(row)
        }
        let targets = graph.targets(of: row)
        if next < targets.count {
          calls[calls.count - 1].next += 1
          let target = targets[targets.startIndex + next]
          if order[target] < 0 {
            calls.append((target, 0))
          } else if componentOf[target] < 0 {
            low[row] = min(low[row], order[target])
          }
          continue
        }
        calls.removeLast()
        if let parent = calls.last?.row { low[parent] = min(low[parent], low[row]) }
        if low[row] == order[row] { close(row, &open, graph) }
      }
    }
  }

  /// Pops the rows of a component off the stack. All components reachable from it are already
  /// closed.
  private mutating func close(_ root: Int, _ open: inout [Int], _ graph: RecordGraph) {
    let position = components.count
    var component = Component(first: root)
    var members: [Int] = []
    repeat {
      guard let row = open.popLast() else { break }
      componentOf[row] = position
      members.append(row)
      if graph.records[row].id < graph.records[component.first].id { component.first = row }
    } while members.last != root
    component.rows = members.count
    for row in members {
      for target in graph.targets(of: row) {
        guard componentOf[target] != position else {
          component.hasCycle = true
          continue
        }
        let depth = components[componentOf[target]].depth + 1
        let id = graph.records[row].id
        // Of equally long chains, the one from the row with the first ID, and its first reference.
        if let way = component.way,
          depth < component.depth || depth == component.depth && way.from <= id
        {
          continue
        }
        component.depth = depth
        component.way = (id, target)
      }
    }
    components.append(component)
  }

  /// Returns the number of references from a row to the end of the longest chain. A cycle counts as
  /// one row.
  func depth(of row: Int) -> Int { components[componentOf[row]].depth }

  /// Returns the longest chain that begins at a row.
  func chain(from start: Int, _ graph: RecordGraph) -> DatabaseStatistics.Chain {
    var steps: [DatabaseStatistics.Chain.Step] = []
    var next: Int? = start
    while let row = next {
      let component = components[componentOf[row]]
      steps.append(
        DatabaseStatistics.Chain.Step(
          id: graph.records[row].id, cycleRows: component.hasCycle ? component.rows : 0))
      next = component.way?.to
    }
    return DatabaseStatistics.Chain(steps: steps)
  }

  /// Returns the cycles among the rows.
  func cycles(_ graph: RecordGraph) -> DatabaseStatistics.Cycles {
    var cycles = DatabaseStatistics.Cycles()
    for component in components where component.hasCycle {
      cycles.count += 1
      cycles.rows += component.rows
      let id = graph.records[component.first].id
      if let example = cycles.example,
        component.rows < cycles.largestRows || component.rows == cycles.largestRows && example < id
      {
        continue
      }
      cycles.largestRows = component.rows
      cycles.example = id
    }
    return cycles
  }
}

/// The graph of references, with rows represented by integers.
struct RecordGraph {
  let records: [Record]
  let index: [RecordID: Int]
  /// The targets of all references, grouped by holder: a row, or nil if it does not exist.
  private var allReferences: [Int?] = []
  /// The existing targets of all references, grouped by holder.
  private var allTargets: [Int] = []
  /// The start of each row's references and of its existing targets.
  private var starts: [(reference: Int, target: Int)] = [(0, 0)]

  init(_ database: RecordDatabase) {
    records = database.records
    var index: [RecordID: Int] = [:]
    index.reserveCapacity(records.count)
    for (row, record) in records.enumerated() { index[record.id] = row }
    self.index = index
    for record in records {
      for value in record.values {
        switch value {
        case .plain: continue
        case .reference(let id): add(index[id])
        case .references(let ids): for id in ids { add(index[id]) }
        }
      }
      starts.append((allReferences.count, allTargets.count))
    }
  }

  private mutating func add(_ target: Int?) {
    allReferences.append(target)
    // A reference to a row that does not exist is not an edge.
    if let target { allTargets.append(target) }
  }

  /// Returns the targets of a row's references, in order of its members; nil for rows that do not
  /// exist.
  func references(of row: Int) -> ArraySlice<Int?> {
    allReferences[starts[row].reference..<starts[row + 1].reference]
  }

  /// Returns the existing rows that a row refers to, in order of its members.
  func targets(of row: Int) -> ArraySlice<Int> {
    allTargets[starts[row].target..<starts[row + 1].target]
  }
}
