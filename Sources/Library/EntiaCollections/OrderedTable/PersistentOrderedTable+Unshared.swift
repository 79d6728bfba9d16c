extension PersistentOrderedTable {
  /// Calls the closure with the elements of this version in the leaves that another version does
  /// not have under the same number. They may be equal to those of the other version.
  /// - Complexity: O(changes · log *n*) between versions of one history.
  package func visitUnshared(with other: Self, _ body: (Element) -> Void) {
    if leaves.root === other.leaves.root { return }
    guard isTree, other.isTree else {
      for element in self { body(element) }
      return
    }
    for difference in leaves.differences(from: other.leaves) where difference.new != nil {
      let leaf = leaves[difference.number]
      for offset in 0..<leaf.count { body(leaf.elements[offset]) }
    }
    withExtendedLifetime((self, other)) {}
  }
}
