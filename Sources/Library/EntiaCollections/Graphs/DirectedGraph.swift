/// A directed graph whose nodes are the numbers from 0.
package struct DirectedGraph {
  /// The targets of all edges, grouped by source.
  private var targets: [Int] = []
  /// The position of each node's first target, and the end of the last node's.
  private var starts = [0]

  /// Creates a graph without nodes.
  package init() {}

  /// The number of nodes.
  package var count: Int { starts.count - 1 }

  /// Adds a node with its edges.
  ///
  /// - Parameter targets: The targets, which may be added later. A negative number is the target of
  ///   a reference to nothing: it is stored and is not an edge.
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
