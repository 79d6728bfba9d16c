import EntiaDatabase
import EntiaLaws
import EntiaSharedState
import EntiaStore
import EntiaTestDomains
import EntiaTestSupport
import Testing

@testable import EntiaSharing

/// Histories of several clients in one thread: every step, fault and interleaving follows from the
/// seed, so that a failure can be replayed.
@Suite("The laws of sharing")
struct SharingLawTests {
  @Test("Law 38: clients converge; each sees every batch once, in one order, none half")
  func library() async throws { try await check(SharedLibrary.self) }

  @Test("Law 38: clients with ordered tables, held IDs and unique keys converge")
  func feed() async throws { try await check(SharedFeed.self) }

  @Test("Law 38: clients with checks of rows and batches converge")
  func shop() async throws { try await check(SharedShop.self) }

  @Test(
    "Law 38: clients whose merge takes a side converge", arguments: [MergeChoice.mine, .theirs])
  func policies(_ choice: MergeChoice) async throws {
    try await check(SharedLibrary.self, ThreeWayMerge(otherwise: choice))
    try await check(SharedFeed.self, ThreeWayMerge(otherwise: choice))
  }

  @Test("Law 39: a push whose acknowledgement is lost counts once")
  func lostAnswers() async throws {
    try await check(SharedLibrary.self, faults: [.lostAnswer, .lateCall])
    try await check(SharedFeed.self, faults: [.lostAnswer, .lateCall])
  }

  @Test("Laws 38 and 39: a batch in an outbox is committed or rejected once, also after a kill")
  func kills() async throws {
    let faults = HistoryFault.allCases.filter { $0 != .trim }
    try await check(SharedLibrary.self, faults: faults, kills: true)
    try await check(SharedFeed.self, faults: faults, kills: true)
    try await check(
      SharedShop.self, kills: true)
  }

  @Test(
    "Laws 38 and 39: outboxes of clients whose merge takes a side",
    arguments: [MergeChoice.mine, .theirs])
  func killsWithPolicies(_ choice: MergeChoice) async throws {
    try await check(
      SharedLibrary.self, ThreeWayMerge(otherwise: choice),
      kills: true)
  }

  private func check<Subject: SharedSubject>(
    _ subject: Subject.Type, _ merge: ThreeWayMerge<Subject.Storage> = ThreeWayMerge(),
    faults: [HistoryFault] = HistoryFault.allCases, kills: Bool = false
  ) async throws {
    let runs = LawRuns(count: 2, steps: 50)
    var events = [0, 0, 0, 0, 0]
    for seed in runs.seeds {
      let history = try SharedHistory<Subject>(
        seed: seed, merge: merge, faults: faults, kills: kills)
      do {
        for step in 0..<runs.steps {
          history.step.withLock { $0 = step }
          await history.advance()
          try await history.check()
        }
        try await history.finish()
        for (kind, count) in await history.events().enumerated() { events[kind] += count }
      } catch is UndecidedHistory {
        continue
      } catch {
        Issue.record(
          """
          \(subject), step \(history.step.withLock { $0 }) of seed \(seed): \(error). \
          Set ENTIA_TEST_SEED=\(seed) to replay it.
          """)
        return
      }
    }
    // Histories in which nothing of this happens prove little.
    if runs.seeds.count >= 8 {
      expectTrue(events[0] > 0 && events[1] > 0, "no rejections or compositions: \(events)")
      expectTrue(!faults.contains(.trim) || events[2] > 0, "no reloads: \(events)")
      expectTrue(!kills || events[3] > 0, "no restored batches: \(events)")
      let isRefusing = merge.otherwise == .refuse
      expectTrue(
        !isRefusing || events[4] > 0, "no rejections of batches that need others: \(events)")
    }
  }
}
