import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Foundation

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

/// Random edits and receptions of a cache of notes.
enum InboxSubject: LawSubject {
  static func makeStorage() -> Inbox { Inbox() }

  static func edit(
    _ context: inout BatchContext<Inbox>, using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<8)
    let time = Date(timeIntervalSinceReferenceDate: Double(random.number(in: 0..<20)))
    let writer = "\(random.number(in: 0..<3))"
    switch random.number(in: 0..<13) {
    case 0..<3: context.modifying.writers.insert(Writer(id: writer), receivedAt: time)
    case 3..<6:
      let parent = random.oneIn(2) ? Note.EntityID(random.number(in: 0..<8)) : nil
      context.modifying.notes.insert(
        Note(id: id, writerID: .init(writer), parentID: parent), receivedAt: time)
    case 6: context.modifying.notes.insert(Note(id: id, writerID: .init(writer)))
    case 7: context.modifying.notes.touch([.init(id), .init(id + 1)], at: time)
    case 8: context.modifying.notes.remove(.init(id))
    case 9: context.modifying.writers.remove(.init(writer))
    case 10:
      context.modifying.answers.receive(
        (0..<4).map { Note.EntityID(id + $0) }, for: random.oneIn(2) ? .all : .by(writer),
        after: random.oneIn(2) ? nil : writer, next: random.oneIn(2) ? nil : writer, at: time)
    case 11: context.modifying.answers.invalidate { $0 == .all }
    default:
      if random.oneIn(2) {
        context.modifying.pinned.append(.init(id))
      } else {
        context.modifying.pinned.remove(.init(id))
      }
    }
  }
}
