import EntiaCoding

/// The members that could be the ID of records without an ID: each record has them, and all values
/// are different.
struct IDCandidates {
  /// The maximum number of compared records; the hashes of all their values are stored.
  private static let maximumRecords = 100_000
  private static let maximumMembers = 16

  /// A member of a record with a value that could be an ID.
  typealias Member = (field: Int, value: UInt64)

  private var records = 0
  private var candidates: [(field: Int, values: Set<UInt64>)] = []

  /// Adds a record without an ID.
  ///
  /// - Parameter members: The members with values that could be IDs, without duplicates.
  mutating func add(_ members: [Member]) {
    guard records < Self.maximumRecords else { return }
    records += 1
    if records == 1 {
      candidates = members.prefix(Self.maximumMembers).map { ($0.field, [$0.value]) }
      return
    }
    candidates.removeAll { candidate in !members.contains { $0.field == candidate.field } }
    for index in candidates.indices.reversed() {
      let field = candidates[index].field
      guard let value = members.first(where: { $0.field == field })?.value,
        candidates[index].values.insert(value).inserted
      else {
        candidates.remove(at: index)
        continue
      }
    }
  }

  /// Returns a question that suggests the most likely member, or nil if there is none or only one
  /// record.
  ///
  /// - Parameters:
  ///   - entity: The name of the records' entity.
  ///   - fieldNames: The names of the members, by field.
  func advice(for entity: String, fieldNames: [ExactString]) -> String? {
    guard records > 1 else { return nil }
    let names = candidates.map { fieldNames[$0.field].string }
    let ranks = names.map { EntityNames.idRank(of: $0, in: entity) ?? .max }
    guard let best = names.indices.min(by: { ranks[$0] < ranks[$1] }) else { return nil }
    let all =
      records < Self.maximumRecords ? "every record has it" : "the first \(records) records have it"
    return "; set \"id\": \(names[best].quoted)? (\(all), all differ)"
  }
}
