import EntiaCoding
import EntiaCollections
import EntiaDatabase
public import EntiaJSON

extension RecordDatabase {
  /// Returns the rows that a selection describes.
  ///
  /// If the selection has IDs, the rows are in the order of the IDs. Otherwise the rows that were
  /// at the top level of the imports (`result`) are first, in the order of the input. The other
  /// rows follow, sorted by ID. A search without a sort begins with the best match. Sorting orders
  /// `null` and missing members first, then `false`, `true`, numbers by value, strings by their
  /// UTF-8 bytes, arrays and objects. Rows with equal values keep their order.
  ///
  /// - Parameter selection: The selected rows and their order.
  /// - Returns: The rows.
  /// - Throws: A `SelectionProblem` if the database lacks the entity, an ID or a compared member.
  /// - Complexity: O(rows of the database × comparisons), plus sorting.
  public func rows(_ selection: RecordSelection) throws(SelectionProblem) -> [Record] {
    let entity = try knownEntity(selection.entity)
    var rows: [Record]
    if let ids = selection.ids {
      rows = try self.rows(entity, ids: ids)
    } else {
      rows = resultFirst(entity.name)
    }
    let members =
      (selection.condition?.members ?? []) + selection.order.map { ExactString($0.member) }
    try checkMembers(members, of: entity)
    let reader = MemberReader(entity)
    if let condition = selection.condition { rows.removeAll { !condition.holds(for: $0, reader) } }
    if let text = selection.search {
      rows = Self.search(rows, text, isRanked: selection.order.isEmpty)
    }
    if !selection.order.isEmpty { rows = Self.sort(rows, by: selection.order, reader) }
    if let limit = selection.limit, limit < rows.count { rows.removeSubrange(limit...) }
    return rows
  }

  /// Throws an error for a member that no row has, because its name is probably misspelled.
  private func checkMembers(
    _ members: [ExactString], of entity: Schema.Entity
  ) throws(SelectionProblem) {
    var known = Set(entity.idNames.map(ExactString.init)).union(entity.byName.keys)
    known.insert(ExactString(entity.idName))
    func isKnown(_ member: ExactString) -> Bool {
      known.contains(member)
        || MemberReader.paths(member.string).contains { known.contains(ExactString($0.name)) }
    }
    guard !members.allSatisfy(isKnown) else { return }
    var isEmpty = true
    for row in table where row.id.entity.isExactly(entity.name) {
      isEmpty = false
      known.formUnion(row.names)
    }
    if isEmpty { return }
    guard let unknown = members.first(where: { !isKnown($0) }) else { return }
    let suggestion = Suggestion.nearest(
      to: unknown.string, among: known.sorted().map(\.string))
    throw .unknownMember(unknown.string, entity: entity.name, suggestion: suggestion)
  }

  /// Returns the rows whose strings match a text.
  private static func search(_ rows: [Record], _ text: String, isRanked: Bool) -> [Record] {
    var index = Indexes.Text<Record>(\.searchedText)
    index.rebuild { visit in for row in rows { visit(row) } }
    let ids = index.search(text).map(\.id)
    if !isRanked {
      let found = Set(ids)
      return rows.filter { found.contains($0.entityID) }
    }
    let byID = Dictionary(rows.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { byID[$0] }
  }

  private static func sort(
    _ rows: [Record], by order: [RecordSelection.Order], _ reader: MemberReader
  ) -> [Record] {
    let members = order.map { (ExactString($0.member), $0.isDescending) }
    // Each value is read once, not once for each comparison.
    let keyed = rows.map { row in (row, members.map { reader.value(of: $0.0, in: row) }) }
    let sorted = keyed.enumerated().sorted { lhs, rhs in
      for (index, (_, isDescending)) in members.enumerated() {
        let (left, right) = (lhs.element.1[index], rhs.element.1[index])
        if left < right { return !isDescending }
        if right < left { return isDescending }
      }
      return lhs.offset < rhs.offset
    }
    return sorted.map(\.element.0)
  }
}

extension Record {
  /// The strings of the members, also those in lists, as lines.
  fileprivate var searchedText: String {
    var lines: [String] = []
    func add(_ text: JSONText) {
      if case .string(let string) = ComparedValue(text) { lines.append(string) }
    }
    for value in values {
      guard case .plain(let text) = value else { continue }
      add(text)
      for element in text.elements ?? [] { add(element) }
    }
    return lines.joined(separator: "\n")
  }
}

/// A selection of rows of one entity, and their order.
public struct RecordSelection: Sendable {
  /// A member to sort by.
  public struct Order: Hashable, Sendable {
    /// The name of the member.
    package let member: String
    /// Whether the greatest value is first.
    package let isDescending: Bool

    /// Creates an order.
    public init(_ member: String, isDescending: Bool = false) {
      self.member = member
      self.isDescending = isDescending
    }
  }

  /// The entity of the rows.
  public var entity: String
  /// The texts of the rows' IDs, in the requested order; nil for all rows.
  public var ids: [String]?
  /// The condition that the rows must fulfill, or nil.
  public var condition: RecordCondition?
  /// The text that the rows must match, as `Indexes.Text` searches it, or nil. Without members to
  /// sort by, the best match is first.
  public var search: String?
  /// The members to sort by, in decreasing significance.
  public var order: [Order]
  /// The maximum number of rows, or nil for no limit.
  public var limit: Int?

  /// Creates a selection.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - ids: The texts of the rows' IDs, in the requested order; nil for all rows.
  ///   - condition: The condition that the rows must fulfill.
  ///   - order: The members to sort by.
  ///   - limit: The maximum number of rows.
  public init(
    of entity: String, ids: [String]? = nil, where condition: RecordCondition? = nil,
    sortedBy order: [Order] = [], limit: Int? = nil
  ) {
    self.entity = entity
    self.ids = ids
    self.condition = condition
    self.order = order
    self.limit = limit
  }
}
