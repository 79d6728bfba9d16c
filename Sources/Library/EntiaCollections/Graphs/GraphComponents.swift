/// The strongly connected components of a graph, and the longest chain of edges from each of them
/// (Tarjan's algorithm with an explicit stack).
package struct GraphComponents {
  /// A strongly connected component; most have a single node.
  private struct Component {
    var count = 0
    var hasCycle = false
    /// The number of edges from the component to the end of the longest chain.
    var depth = 0
    /// The first edge of the longest chain: its source in the component, and its target.
    var way: (from: Int, to: Int)?
    /// The component's first node in the order of `precedes`.
    var first: Int
  }

  /// A node of a chain, and the number of nodes in its cycle; 0 if it is in no cycle.
  package typealias Step = (node: Int, cycleCount: Int)

  /// Statistics of the cycles of a graph. A cycle is a group of nodes that are reachable from each
  /// other.
  package struct Cycles {
    /// The number of cycles.
    package var count = 0
    /// The number of nodes in all cycles.
    package var nodes = 0
    /// The number of nodes in the largest cycle.
    package var largest = 0
    /// The first node of the largest cycle, or nil if there are no cycles.
    package var example: Int?
  }

  private var components: [Component] = []
  /// The component of each node.
  private var componentOf: [Int]
  /// Whether a node precedes another one. The order decides between equally good results.
  private let precedes: (Int, Int) -> Bool

  /// Creates the components of a graph.
  ///
  /// - Parameters:
  ///   - graph: The graph. Each target that is not negative must be the number of a node.
  ///   - precedes: The order of the nodes. It decides which of several chains of equal length is
  ///     returned, and which of several cycles of equal size.
  /// - Complexity: O(nodes + edges).
  package init(_ graph: DirectedGraph, by precedes: @escaping (Int, Int) -> Bool = { $0 < $1 }) {
    self.precedes = precedes
    componentOf = Array(repeating: -1, count: graph.count)
    var order = [Int](repeating: -1, count: graph.count)
    var low = [Int](repeating: 0, count: graph.count)
    var visited = 0
    var open: [Int] = []
    var calls: [(node: Int, next: Int)] = []
    for root in 0..<graph.count where order[root] < 0 {
      calls.append((root, 0))
      while let (node, next) = calls.last {
        if order[node] < 0 {
          order[node] = visited
          low[node] = visited
          visited += 1
          open.append(node)
        }
        let targets = graph.targets(of: node)
        if next < targets.count {
          calls[calls.count - 1].next += 1
          let target = targets[targets.startIndex + next]
          if target < 0 { continue }
          if order[target] < 0 {
            calls.append((target, 0))
          } else if componentOf[target] < 0 {
            low[node] = min(low[node], order[target])
          }
          continue
        }
        calls.removeLast()
        if let parent = calls.last?.node { low[parent] = min(low[parent], low[node]) }
        if low[node] == order[node] { close(node, &open, graph) }
      }
    }
  }

  /// Pops the nodes of a component off the stack. All components that are reachable from this
  /// component are already closed.
  private mutating func close(_ root: Int, _ open: inout [Int], _ graph: DirectedGraph) {
    let position = components.count
    var component = Component(first: root)
    var members: [Int] = []
    repeat {
      guard let node = open.popLast() else { break }
      componentOf[node] = position
      members.append(node)
      if precedes(node, component.first) { component.first = node }
    } while members.last != root
    component.count = members.count
    for node in members {
      for target in graph.targets(of: node) where target >= 0 {
        guard componentOf[target] != position else {
          component.hasCycle = true
          continue
        }
        let depth = components[componentOf[target]].depth + 1
        // Among equally long chains, `precedes` decides: first by the source of the first edge,
        // then by the target of this edge.
        if let way = component.way {
          if depth < component.depth { continue }
          let precedesWay =
            node == way.from ? precedes(target, way.to) : precedes(node, way.from)
          if depth == component.depth, !precedesWay { continue }
        }
        component.depth = depth
        component.way = (node, target)
      }
    }
    components.append(component)
  }

  /// Returns the number of edges from a node to the end of the longest chain. A cycle counts as one
  /// node.
  package func depth(of node: Int) -> Int { components[componentOf[node]].depth }

  /// Returns the node of `nodes` with the longest chain, or nil if `nodes` is empty.
  ///
  /// - Complexity: O(nodes).
  package func deepest(of nodes: some Sequence<Int>) -> Int? {
    var deepest: Int?
    for node in nodes {
      if let deepest {
        let difference = depth(of: node) - depth(of: deepest)
        if difference < 0 || difference == 0 && !precedes(node, deepest) { continue }
      }
      deepest = node
    }
    return deepest
  }

  /// Returns the longest chain that begins at a node. Of the nodes of one cycle, only the first on
  /// the chain is included.
  ///
  /// - Complexity: O(length of the chain).
  package func chain(from start: Int) -> [Step] {
    var steps: [Step] = []
    var next: Int? = start
    while let node = next {
      let component = components[componentOf[node]]
      steps.append((node, component.hasCycle ? component.count : 0))
      next = component.way?.to
    }
    return steps
  }

  /// Returns the cycles of the graph.
  ///
  /// - Complexity: O(nodes).
  package func cycles() -> Cycles {
    var cycles = Cycles()
    for component in components where component.hasCycle {
      cycles.count += 1
      cycles.nodes += component.count
      if let example = cycles.example,
        component.count < cycles.largest
          || component.count == cycles.largest && precedes(example, component.first)
      {
        continue
      }
      cycles.largest = component.count
      cycles.example = component.first
    }
    return cycles
  }
}

/// A directed graph whose nodes are the numbers from 0.
package struct DirectedGraph {
  /// The targets of all edges, grouped by source.
  private var targets: [Int] = []
  /// The position of each node's first target in `targets`, followed by the count of `targets`.
  private var starts = [0]

  /// Creates a graph without nodes.
  package init() {}

  /// The number of nodes.
  package var count: Int { starts.count - 1 }

  /// Adds a node with its edges.
  ///
  /// - Parameter targets: The numbers of the target nodes. A target may be added later. A negative
  ///   number stands for no target. It is stored, but it is not an edge.
  /// - Complexity: Amortized O(targets).
  package mutating func addNode(_ targets: some Sequence<Int>) {
    self.targets.append(contentsOf: targets)
    starts.append(self.targets.count)
  }

  /// Returns the targets of a node in the order in which they were added.
  package func targets(of node: Int) -> ArraySlice<Int> {
    targets[starts[node]..<starts[node + 1]]
  }
}
