import EntiaDatabase
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaLaws

@Suite("Law 34: the law of fetching notices")
struct FetchCheckerTests {
  private func laws() -> FetchLaws<NotesSubject, Note> {
    let runs = LawRuns(count: 4, steps: 15, corpus: [], environment: [:])
    return FetchLaws(NotesSubject.self, runs: runs) { random in
      let id = random.number(in: 0..<6)
      return FetchDescriptor(
        predicate: #Predicate { $0.id >= id }, sortBy: [SortDescriptor(\.id, order: .reverse)],
        fetchLimit: random.oneIn(2) ? nil : 3)
    }
  }

  @Test("A sound storage keeps it")
  func sound() throws { try laws().check() }

  @Test("A row that is left out, and an order that is another, are named with how it was served")
  func faulty() {
    var dropping = laws()
    dropping.fetch = { Array($0.fetch($1).dropFirst()) }
    let dropped = #expect(throws: LawViolation.self) { try dropping.check() }
    expectEqual(dropped?.law, 19)
    expectEqual(dropped?.reason.contains("Note: "), true)
    var turning = laws()
    turning.fetch = { $0.fetch($1).reversed() }
    #expect(throws: LawViolation.self) { try turning.check() }
  }
}
