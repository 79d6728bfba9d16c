import EntiaDatabase
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

/// An entity of no table.
private struct Ghost: EntityType, Identifiable, Encodable {
  let id: Int
  var name = ""
}

/// The calls that name an entity type. `explain` explains that there is no table.
private enum NamingCall: String, CaseIterable, Codable {
  case view, views, fetch, fetchIDs, fetchCount, first, enumerate, fetchPage
  case fetchGrouped, fetchSections, fetchCounts, fetchSummary, fetchMinimum, fetchMaximum
  case denormalized, collectTable, collectEntity, collectEntities, planDeleting, planDeletingMany
  case changes, mergeFields, resolve
  case batchFetch

  func run() throws {
    var library = Library()
    let all = FetchDescriptor<Ghost>()
    let id = Ghost.EntityID(1)
    switch self {
    case .view: _ = library.view(of: id)
    case .views: _ = library.views(of: [id])
    case .fetch: _ = library.fetch(all)
    case .fetchIDs: _ = library.fetchIDs(all)
    case .fetchCount: _ = library.fetchCount(all)
    case .first: _ = library.first(all)
    case .enumerate: library.enumerate(all) { _, _ in }
    case .fetchPage: _ = library.fetchPage(all)
    case .fetchGrouped: _ = library.fetchGrouped(all, by: \.name)
    case .fetchSections: _ = library.fetchSections(all, by: \.name)
    case .fetchCounts: _ = library.fetchCounts(all, by: \.name)
    case .fetchSummary: _ = library.fetchSummary(all, of: \.id)
    case .fetchMinimum: _ = library.fetchMinimum(all, of: \.id)
    case .fetchMaximum: _ = library.fetchMaximum(all, of: \.id)
    case .denormalized: _ = library.denormalized(id, depth: 1)
    case .collectTable: _ = library.collect(roots: [.table(of: Ghost.self)])
    case .collectEntity: _ = library.collect(roots: [.entity(id)])
    case .collectEntities: _ = library.collect(roots: [.entities([id])])
    case .planDeleting: _ = library.plan(deleting: id)
    case .planDeletingMany: _ = library.plan(deleting: [id])
    case .changes: _ = library.changes(since: library).changes(of: Ghost.self)
    case .mergeFields:
      var merge = ThreeWayMerge<Library>()
      merge.mergeFields(of: Ghost.self, \.name)
    case .resolve:
      var merge = ThreeWayMerge<Library>()
      merge.resolve(Ghost.self) { _ in .mine }
    case .batchFetch: try library.performBatchUpdates { _ = $0.fetch(all) }
    }
  }
}

@Suite("Entities without a table")
struct MissingTableTests {
  @Test("Every call that names an entity type stops the process", arguments: NamingCall.allCases)
  fileprivate func stops(call: NamingCall) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [call] in
      try call.run()
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    expectTrue(
      text.contains("Library has no table of Ghost; add a table, as in "), "\(text.prefix(500))")
  }
}
