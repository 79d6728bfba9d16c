import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Foundation

/// A random history of a feed, from one save to the next. Two processes that replay it from one
/// seed have the same states.
package struct KeepHistory {
  /// The state at the last save.
  package private(set) var feed = CachedFeed()
  /// The number of saves so far.
  package private(set) var saves = 0
  private var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Makes the changes up to the next save.
  package mutating func advance() throws {
    saves += 1
    for _ in 0..<random.number(in: 1..<4) { try change() }
    // Each save has a state of its own.
    try feed.performBatchUpdates { context in
      context.modifying.users.insert(User(id: 100, email: "save \(saves)"))
    }
  }

  /// One batch, which changes rows of several tables.
  private mutating func change() throws {
    var random = self.random
    defer { self.random = random }
    let stamp = "save \(saves), \(random.number(in: 0..<1_000))"
    try feed.performBatchUpdates { context in
      for _ in 0..<random.number(in: 1..<10) {
        let id = random.number(in: 0..<24)
        let userID = User.EntityID(id % 6)
        let time = Date(timeIntervalSinceReferenceDate: Double(random.number(in: 0..<100)) / 4)
        switch random.number(in: 0..<17) {
        case 0...3:
          context.modifying.users.insert(User(id: userID.raw, email: "\(userID.raw) \(stamp)"))
          context.modifying.posts.insert(
            Post(
              id: id, title: stamp, year: random.number(in: 1990..<2030), rating: 0.1,
              code: random.oneIn(3) ? nil : "\(id)", authorID: userID))
        case 12:
          context.modifying.users.insert(User(id: userID.raw, email: "\(userID.raw) \(stamp)"))
          context.modifying.posts.insert(
            Post(id: id, title: "received", year: 2000, authorID: userID), receivedAt: time)
        case 13: context.modifying.posts.touch((0..<4).map { .init(id + $0) }, at: time)
        case 14:
          context.modifying.answers.receive(
            (0..<6).map { .init(id + $0) }, for: "request \(id % 4)",
            after: random.oneIn(2) ? nil : "next", next: random.oneIn(2) ? nil : "next", at: time)
        case 15: context.modifying.answers.invalidate { $0 == "request \(id % 4)" }
        case 16: context.modifying.answers.remove("request \(id % 4)")
        case 4, 5:
          context.modifying.posts.updateIfExists(id: Post.EntityID(id)) { $0.title = stamp }
        case 6:
          // A long text needs pages of its own. No index divides this one into its parts.
          context.modifying.users.updateIfExists(id: userID) {
            $0.email = "\(userID.raw) \(stamp)" + String(repeating: "x", count: 9_000)
          }
        case 7: context.modifying.posts.remove(Post.EntityID(id))
        case 8:
          if random.oneIn(4) { context.modifying.users.remove(userID) }
        case 9: context.modifying.users.move(userID, to: 0)
        case 10: context.modifying.favorites.insert(Post.EntityID(id), at: 0)
        default: context.modifying.unread.insert(Post.EntityID(id))
        }
      }
    }
  }
}
