import Entia
import EntiaJSON
import Foundation

/// A reader of stories: it shows what it has at once, and requests what is older than a minute.
struct Reader {
  let store = Store<AppState, Never>(initialState: AppState())
  let top: LiveQuery<Story>
  /// The time, which the program advances itself, so that each run prints the same.
  var now = Date(timeIntervalSinceReferenceDate: 0)
  private(set) var server = SimulatedServer()

  init() {
    top = store.query(FeedRequest.top, of: Story.self, in: \.feed)
  }

  /// The answer to the request, or `nil` before the first one.
  var answer: Response<Story>? { store.state.feed.answers[.top] }

  /// Requests a page, and keeps the reader's own marks.
  mutating func receive(after cursor: String? = nil) throws {
    let (page, time) = (server.page(after: cursor), now)
    let marks = MergePolicies(MergePolicy<Story>.keeping(\.isRead))
    try store.commit(undo: .none) { state in
      _ = try state.feed.importJSON(
        ImportSource(name: "stories.json", bytes: Array(page.json.utf8)), of: Story.self,
        answering: FeedRequest.top, after: cursor, next: page.next, receivedAt: time,
        options: TypedImportOptions(merging: marks))
    }
  }

  /// Requests the first page if the answer is missing, old or invalidated.
  mutating func refresh() throws {
    if answer?.isFresh(within: .seconds(60), at: now) != true { try receive() }
  }

  func show(_ moment: String) {
    let isFresh = answer?.isFresh(within: .seconds(60), at: now) ?? false
    let stories = top.value.map { $0.isRead ? "(\($0.id))" : "\($0.id)" }
    print(
      "\(moment): \(stories.joined(separator: " ")) – \(isFresh ? "fresh" : "stale"), "
        + "\(store.state.feed.stories.count) stored")
  }
}
