extension RecordCondition {
  /// Returns whether a row fulfills the condition.
  ///
  /// - Complexity: O(comparisons × size of the row).
  func holds(for row: Record, _ reader: MemberReader) -> Bool {
    Self.holds(root, row, reader)
  }

  // The parser bounds the depth.
  private static func holds(_ node: Node, _ row: Record, _ reader: MemberReader) -> Bool {
    switch node {
    case .comparison(let comparison):
      return reader.value(of: comparison.member, in: row)
        .fulfils(comparison.relation, comparison.literal)
    case .all(let parts): return parts.allSatisfy { holds($0, row, reader) }
    case .any(let parts): return parts.contains { holds($0, row, reader) }
    case .negation(let part): return !holds(part, row, reader)
    }
  }
}
