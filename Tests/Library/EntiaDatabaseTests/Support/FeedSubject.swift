import EntiaDatabase
import EntiaLaws
import EntiaTestDomains

/// Random edits of the feed: every index, with keys that collide.
enum FeedSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Feed>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let year = random.number(in: 1960..<1963)
    switch random.number(in: 0..<12) {
    case 0..<4: context.modifying.posts.insert(post(number, &random))
    case 4: context.modifying.posts.updateIfExists(id: .init(number)) { $0.year = year }
    case 5: context.modifying.posts.updateIfExists(id: .init(number)) { $0.code = nil }
    case 6: context.modifying.posts.remove(.init(number))
    case 7: context.modifying.posts.update(where: { $0.year == year }, { $0.rating = -$0.rating })
    case 8:
      context.modifying.posts.insert(post(number, &random), onConflict: .replace)
    case 9:
      context.modifying.posts.insert(
        post(number, &random), onConflict: .merge { $0.title = $1.title })
    case 10: context.modifying.users.insert(user(number, &random), onConflict: .keep)
    default: context.modifying.users.remove(.init(number))
    }
  }

  static func post(_ id: Int, _ random: inout SeededGenerator) -> Post {
    Post(
      id: id, title: ["a", "B", "ab"][random.number(in: 0..<3)],
      year: random.number(in: 1960..<1963), rating: Double(id % 3),
      code: random.oneIn(2) ? nil : "c\(random.number(in: 0..<6))",
      authorID: .init(random.number(in: 0..<6)))
  }

  static func user(_ id: Int, _ random: inout SeededGenerator) -> User {
    User(id: id, email: "e\(random.number(in: 0..<6))")
  }
}
