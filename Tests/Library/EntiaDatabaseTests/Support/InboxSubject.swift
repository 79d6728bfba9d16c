import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Foundation

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
