import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@Suite("Laws of relationships of every kind")
struct RelationshipLawTests {
  /// The laws that keys have a part in.
  static let laws = StorageLaw.allCases.filter { ![2, 3, 5, 8, 11].contains($0.number) }

  private let runs = LawRuns(count: isScaled ? 2 : 1, steps: 12, corpus: [5])

  @Test("Laws 9, 10, 12–17 under `cascade`", arguments: RelationshipLawTests.laws)
  func cascade(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<Cascading>.self, runs: runs).check(law)
  }

  @Test("Laws 9, 10, 12–17 under `nullify`", arguments: RelationshipLawTests.laws)
  func nullify(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<Nullifying>.self, runs: runs).check(law)
  }

  @Test("Laws 9, 10, 12–17 under `deny`", arguments: RelationshipLawTests.laws)
  func deny(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<Denying>.self, runs: runs).check(law)
  }

  @Test("Laws 9, 10, 12–17 under `keepDangling`", arguments: RelationshipLawTests.laws)
  func keepDangling(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<Dangling>.self, runs: runs).check(law)
  }

  @Test("Laws 9, 10, 12–17 with limits of holders", arguments: RelationshipLawTests.laws)
  func holderLimits(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<LimitingHolders>.self, runs: runs).check(law)
  }

  @Test(
    "Laws 9, 10, 12–17 with entities that must be referenced", arguments: RelationshipLawTests.laws)
  func requiredHolders(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<RequiringHolders>.self, runs: runs).check(law)
  }

  @Test("Laws 9, 10, 12–17 with limits", arguments: RelationshipLawTests.laws)
  func limits(_ law: StorageLaw) throws {
    try StorageLaws(StudioSubject<Limiting>.self, runs: runs).check(law)
  }
}
