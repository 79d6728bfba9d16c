/// The number of related entities that must match the condition of a join.
///
/// ```swift
/// FetchDescriptor<Author>()
///   .joining(inverse: \Library.bookAuthor, #Predicate { $0.year > 1999 }, matching: .all)
/// FetchDescriptor<Author>().joining(inverse: \Library.bookAuthor, matching: .atLeast(3))
/// ```
///
/// Each entity counts once, even if a key references it several times. IDs of missing entities do
/// not count.
public struct JoinQuantifier: Hashable, Sendable, CustomStringConvertible {
  /// The numbers of matches that are accepted.
  let range: ClosedRange<Int>
  /// Whether every related entity must match.
  let isUniversal: Bool

  /// At least one related entity matches.
  public static let any = Self(range: 1...Int.max)
  /// No related entity matches. An entity without related entities is accepted.
  public static let none = Self(range: 0...0)
  /// Every related entity matches. An entity without related entities is accepted.
  public static let all = Self(range: 0...Int.max, isUniversal: true)

  /// Returns a quantifier that requires at least a number of matches.
  /// - Parameter count: The least number; a negative one counts as 0.
  public static func atLeast(_ count: Int) -> Self { Self(range: max(0, count)...Int.max) }

  /// Returns a quantifier that allows at most a number of matches.
  /// - Parameter count: The greatest number; a negative one counts as 0.
  public static func atMost(_ count: Int) -> Self { Self(range: 0...max(0, count)) }

  /// Returns a quantifier that requires an exact number of matches.
  /// - Parameter count: The number; a negative one counts as 0.
  public static func exactly(_ count: Int) -> Self { Self(range: max(0, count)...max(0, count)) }

  private init(range: ClosedRange<Int>, isUniversal: Bool = false) {
    self.range = range
    self.isUniversal = isUniversal
  }

  /// Whether an entity without a match is rejected, so that every accepted entity is related to a
  /// match.
  var requiresMatch: Bool { range.lowerBound > 0 }

  /// Whether the related entities satisfy the quantifier. Some of the IDs may be of missing
  /// entities.
  func accepts<Entity: EntityType>(
    _ ids: [Entity.EntityID], in rows: RelatedRows<Entity>
  ) -> Bool {
    if isUniversal { return ids.allSatisfy { rows.accepts($0) != false } }
    if range == 1...Int.max { return ids.contains { rows.accepts($0) == true } }
    var seen: Set<Entity.EntityID> = []
    var count = 0
    for id in ids where seen.insert(id).inserted && rows.accepts(id) == true {
      count += 1
      if count > range.upperBound || count >= range.lowerBound && range.upperBound == .max { break }
    }
    return range.contains(count)
  }

  /// The quantifier in words.
  public var description: String {
    if isUniversal { return "all" }
    switch (range.lowerBound, range.upperBound) {
    case (1, .max): return "any"
    case (0, 0): return "none"
    case (let least, .max): return "at least \(least)"
    case (0, let most): return "at most \(most)"
    case (let count, _): return "exactly \(count)"
    }
  }
}
