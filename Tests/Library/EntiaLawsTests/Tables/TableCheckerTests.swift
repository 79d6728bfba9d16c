import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

@Suite("Law 34: the laws of tables notice")
struct TableCheckerTests {
  /// The laws that a table with the bug breaks, of the given ones.
  static func brokenLaws(_ bug: TableBug, of candidates: [TableLaw]) throws -> Set<Int> {
    // Without a bug every law runs to its end.
    let count = bug == .none ? 2 : 6
    let runs = LawRuns(count: count, steps: 40, corpus: [], environment: [:])
    let laws = TableLaws(
      runs: runs, makeTable: { FaultyTable(bug) }, makeEntity: NotesSubject.note)
    return Set(
      candidates.filter { law in
        do {
          try laws.check(law)
          return false
        } catch {
          return (error as? LawViolation)?.law == law.rawValue
        }
      }.map(\.rawValue))
  }

  @Test(
    "Every seeded bug, each by the law it breaks",
    arguments: [
      (.none, []), (.forgetsPlaceOnReplace, [6]), (.reinsertsAtTheOldPlace, [6]),
      (.sharesItsVersions, [2]), (.comparesCounters, [5]), (.logsEveryWrite, [3]),
      (.forgetsRemovals, [1]), (.keepsWhatAFailedUpdateDid, [1]), (.saysInsertedAlways, [1]),
      (.forgetsAMiss, [1]),
    ] as [(TableBug, Set<Int>)])
  func seededBugs(bug: TableBug, expected: Set<Int>) throws {
    let candidates = TableLaw.allCases.filter { expected.isEmpty || expected.contains($0.rawValue) }
    let broken = try Self.brokenLaws(bug, of: candidates)
    expectTrue(broken.isSuperset(of: expected), "\(bug) breaks \(broken.sorted())")
    expectEqual(broken.isEmpty, bug == .none)
  }

  @Test("A wrong order breaks law 6 first, and not that of versions, which compares orders")
  func wrongOrder() throws {
    let laws = TableLaws(
      runs: LawRuns(count: 6, steps: 40, corpus: [], environment: [:]),
      makeTable: { FaultyTable(.forgetsPlaceOnReplace) }, makeEntity: NotesSubject.note)
    let error = #expect(throws: LawViolation.self) { try laws.check() }
    expectEqual(error?.law, 6)
  }

  #if DEBUG
    @Test("Law 5 is noticed on an == that leaves a field out, whose updates tables lose")
    func partialEquality() throws {
      struct Partial: EntityType, Identifiable {
        let id: Int
        var name: Int
        var note: Int
        static func == (a: Partial, b: Partial) -> Bool { a.id == b.id && a.name == b.name }
      }
      let laws = TableLaws(
        runs: LawRuns(count: 3, steps: 30, corpus: [], environment: [:]),
        makeTable: { Tables.Hash<Partial>() },
        makeEntity: { id, random in
          Partial(id: id, name: random.number(in: 0..<2), note: random.number(in: 0..<3))
        })
      let error = #expect(throws: LawViolation.self) { try laws.check() }
      expectEqual(error?.law, 5)
      expectTrue(error?.reason.contains("but note differ") == true, "\(error?.reason ?? "")")
    }
  #endif

  @Test("Law 12 is noticed on an editor that drops a delete")
  func droppedDelete() throws {
    let error = #expect(throws: LawViolation.self) {
      try TableLaws<Tables.Hash<Note>>.checkReads(
        runs: LawRuns(count: 3, steps: 20, corpus: [], environment: [:]),
        makeTable: { FaultyTable(.forgetsRemovals) }, makeEntity: NotesSubject.note)
    }
    expectEqual(error?.law, 12)
  }

  @Test("A violation names the law, the place and the seed, and the seed replays it")
  func violationsReplay() throws {
    func violation(_ environment: [String: String]) -> LawViolation? {
      let runs = LawRuns(count: 3, steps: 40, corpus: [4], environment: environment)
      let laws = TableLaws(
        runs: runs, makeTable: { FaultyTable(.forgetsPlaceOnReplace) },
        makeEntity: NotesSubject.note)
      do {
        try laws.check(.iterationIsInsertionOrder)
        return nil
      } catch {
        return error as? LawViolation
      }
    }
    let first = try #require(violation([:]))
    expectEqual(first.seed, 4)
    expectTrue(
      first.description.hasPrefix(
        "Law 6 is broken (iteration is insertion order, a replaced entity keeps its place, a "
          + "re-inserted one goes last) at step \(first.step) of seed 4: allIDs(): found ["))
    expectTrue(first.description.hasSuffix(" Set ENTIA_TEST_SEED=4 to replay it."))
    expectEqual(violation(["ENTIA_TEST_SEED": "4"]), first)
    expectEqual(violation(["ENTIA_TEST_SEED": "7920"])?.seed, 7920)
  }
}
