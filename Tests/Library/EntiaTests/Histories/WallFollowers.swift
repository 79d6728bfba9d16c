import Entia
import EntiaTestSupport
import Foundation

/// Everything that follows a wall in a store, each beside what it must be.
final class WallFollowers {
  typealias Check = (Wall.State) -> String?

  private let store: Store<Wall.State, Never>
  private var checks: [(name: String, check: Check)] = []
  private var subscriptions: [StoreSubscription] = []

  init(_ store: Store<Wall.State, Never>) {
    self.store = store
    followRows()
    followOrders()
    followRelations()
    followChanges()
    followPositions()
  }

  /// Returns the first follower that is not what it must be; `nil` if all are right.
  func problem(in state: Wall.State) -> String? {
    for (name, check) in checks {
      if let problem = check(state) { return "\(name): \(problem)" }
    }
    return nil
  }

  /// What a subscription received, from one thread at a time.
  ///
  /// Sendable although it has `var`s: the store delivers to `.passthrough` in turn.
  private final class Received<Value: Sendable>: @unchecked Sendable {
    var last: Value?
    var problems: [String] = []
  }

  private func follow<Value: Equatable & Sendable>(
    _ name: String, _ value: Derived<Value>, _ expected: @escaping (Wall.State) -> Value
  ) {
    let received = Received<Value>()
    subscriptions.append(
      value.sinkState(queue: .passthrough) { change in
        if received.last == change.primitive { received.problems.append("received again") }
        received.last = change.primitive
      })
    checks.append(
      (
        name,
        { state in
          let expected = expected(state)
          if value.value == expected, received.last == expected, received.problems.isEmpty {
            return nil
          }
          return "\(value.value), received \(received.last as Any), expected \(expected), "
            + "\(received.problems)"
        }
      ))
  }

  private func follow<Entity: EntityType>(_ name: String, _ descriptor: FetchDescriptor<Entity>) {
    follow(name, store.query(descriptor, in: \.wall).derived(.map { $0 })) {
      $0.wall.fetch(descriptor)
    }
  }

  private func followRows() {
    follow("posts", FetchDescriptor<Wall.Post>())
    follow("comments", FetchDescriptor<Wall.Comment>())
    follow("users", FetchDescriptor<Wall.User>())
    follow("post 1", store.entity(Wall.Post.EntityID(1), in: \.wall)) {
      $0.wall.posts.find(by: 1)
    }
    let count = FetchDescriptor<Wall.Comment> { $0.text == "x1" }
    follow("count", store.count(count, in: \.wall)) { $0.wall.fetchCount(count) }
    follow("favorites", store.derived(.map { Array($0.wall.favorites) })) {
      Array($0.wall.favorites)
    }
  }

  private func followOrders() {
    follow(
      "by year",
      FetchDescriptor<Wall.Post>(
        predicate: #Predicate { $0.year > 1 },
        sortBy: [SortDescriptor(\.year), SortDescriptor(\.title)], fetchLimit: 2))
    follow(
      "search",
      FetchDescriptor<Wall.Post>(matching: "t1 w", in: \Wall.Storage.text, fetchLimit: 3))
    follow(
      "page",
      FetchDescriptor<Wall.Comment>(
        sortBy: [SortDescriptor(\.text)], fetchLimit: 2, fetchOffset: 1))
    follow(
      "limit",
      FetchDescriptor<Wall.Comment>(predicate: #Predicate { $0.text != "x1" }, fetchLimit: 3))
    let byText = FetchDescriptor<Wall.Comment>(sortBy: [SortDescriptor(\.text)])
    let sections = store.query(byText, in: \.wall).sections(by: \.text)
    follow("sections", sections.derived(.map { $0.map(\.entities) })) {
      $0.wall.fetchSections(byText, by: \.text).map(\.entities)
    }
    let answer = store.query(1, of: Wall.Post.self, in: \.wall)
    follow("answer", answer.derived(.map { $0 })) { state in
      state.wall.answers.ids(for: 1).compactMap { state.wall.posts.find(by: $0) }
    }
  }

  private func followRelations() {
    follow(
      "comments of new posts",
      FetchDescriptor<Wall.Comment>(predicate: #Predicate { $0.text != "x9" })
        .joining(\Wall.Storage.commentPost, #Predicate { $0.year > 1 }))
    follow(
      "users with posts",
      FetchDescriptor<Wall.User>(
        sortBy: [SortDescriptor(\.email), SortDescriptor(\.id)], fetchLimit: 3
      ).joining(inverse: \Wall.Storage.postAuthor, matching: .atLeast(2)))
    follow(
      "rare tags",
      FetchDescriptor<Wall.Tag>()
        .joining(inverse: \Wall.Storage.commentTags, matching: .atMost(1)))
    let id = Wall.Comment.EntityID(2)
    follow("tags of comment 2", store.related(id, \.commentTags, in: \.wall)) { state in
      let tagIDs = state.wall.comments.find(by: id)?.tagIDs ?? []
      return tagIDs.compactMap { state.wall.tags.find(by: $0) }
    }
    let level = store.derived(.map { $0.wall.view(of: id)?[\.commentPost]?[\.postAuthor]?.level })
    follow("level of the author of the post of comment 2", level) { state in
      guard let comment = state.wall.comments.find(by: id),
        let post = state.wall.posts.find(by: comment.postID)
      else { return nil }
      return state.wall.users.find(by: post.authorID)?.level
    }
  }

  /// The change sets between delivered states lead from one to the next.
  private func followChanges() {
    let received = Received<Wall.Storage>()
    subscriptions.append(
      store.sinkState(queue: .passthrough) { change in
        let new = change.primitive.wall
        var copy = received.last ?? new
        do {
          try copy.apply(new.changes(since: copy))
          if copy != new { received.problems.append("applied changes give another wall") }
        } catch {
          received.problems.append("\(error)")
        }
        received.last = new
      })
    checks.append(
      (
        "change sets",
        { state in
          received.problems.first ?? (received.last == state.wall ? nil : "not the current wall")
        }
      ))
  }

  /// The positions of differences lead from one list to the next.
  private func followPositions() {
    let byText = FetchDescriptor<Wall.Comment>(sortBy: [SortDescriptor(\.text)])
    let received = Received<[Wall.Comment]>()
    subscriptions.append(
      store.query(byText, in: \.wall).sinkDifferences(queue: .passthrough) { difference in
        var rows = received.last ?? []
        if rows != difference.old, received.last != nil { received.problems.append("a gap") }
        for position in (difference.removed + difference.moved.map(\.from)).sorted(by: >) {
          rows.remove(at: position)
        }
        for position in (difference.inserted + difference.moved.map(\.to)).sorted() {
          rows.insert(difference.new[position], at: position)
        }
        for position in difference.updated { rows[position] = difference.new[position] }
        if rows != difference.new { received.problems.append("\(difference)") }
        received.last = difference.new
      })
    checks.append(
      (
        "positions",
        { state in
          received.problems.first
            ?? (received.last == state.wall.fetch(byText) ? nil : "not the current list")
        }
      ))
  }
}
